/** What a request object of a scene says where a part of the screen is about less than the scene: one event, one error, one vital. */
import { type Scene, sceneFields } from '../website/scene.ts';
import { filterField } from '../website/scene-filters.ts';

/** `where`: further filters, as the API takes them. */
export function narrowedFields(scene: Scene, where: readonly object[] = []): object {
  const fields = sceneFields(scene);
  return where.length === 0 ? fields : { ...fields, filters: [...scene.filters.map(filterField), ...where] };
}
