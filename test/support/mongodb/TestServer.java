import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import java.util.Set;

/** A server that speaks MongoDB's protocol, for tests: on one port, in a file that survives a kill or, without a file, in memory. */
public class TestServer {
  private static final Set<String> WRITES =
      Set.of("insert", "update", "delete", "findandmodify", "createindexes", "dropindexes", "drop", "dropdatabase");

  /** Arguments: the port (0: a free one), and the file of its data, if any. */
  public static void main(String[] arguments) {
    MongoBackend backend = arguments.length > 1 ? new DurableBackend(arguments[1]) : new MemoryBackend();
    MongoServer server = new MongoServer(backend.version(new Version5()));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("listens on " + server.getLocalAddress().getPort());
  }

  /** What it says of itself, so that drivers of today speak to it: it knows the messages of 5.0, though not every command. */
  private static class Version5 implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 13;
    }
  }

  /** Has every write on disk before it answers, as a journal would. */
  private static class DurableBackend extends H2Backend {
    DurableBackend(String file) {
      super(file);
    }

    @Override
    public Document handleMessage(MongoMessage message) {
      Document answer = super.handleMessage(message);
      String command = message.getDocument().keySet().iterator().next();
      if (WRITES.contains(command.toLowerCase())) commit();
      return answer;
    }
  }
}
