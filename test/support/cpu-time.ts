/** What work costs in time of processors, which no other process of the machine makes longer, and no stall. */

/** Returns how long this process has computed since, in milliseconds: all of its threads together. */
export function startCpuTime(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}
