package dev.cleave.broker.verify;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.broker.process.Finished;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.call.InterfaceReader;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program twice, as written and with the agent, against services that give equal answers, and compares the runs.
 *
 * <p>The services are objects of this JVM behind a broker of their own. In the first run they pass calls on to the real
 * services and record the outcomes, in the second they answer by the record; or a script invents the outcomes.
 */
public final class Rehearsal implements AutoCloseable {

    private final Bindings bindings;
    private final Map<String, Class<?>> services;
    private final Fleet fleet;
    private final Broker broker;
    private final Node server;
    private final List<RecordedService> watched = new ArrayList<>();

    /**
     * Prepares the services.
     *
     * @param services the remote interface of each service, by the name of the service
     * @param fleet starts the program
     */
    public Rehearsal(Bindings bindings, Map<String, Class<?>> services, Fleet fleet) {
        this.bindings = bindings;
        this.services = new LinkedHashMap<>(services);
        this.fleet = fleet;
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(bindings));
        server = Node.connect(NodeOptions.DEFAULT
                .withName("cleave-verify")
                .withBroker(broker.endpoint())
                .withBindings(bindings));
        InterfaceReader reader = new InterfaceReader(bindings);
        this.services.forEach((name, type) -> {
            RecordedService service = new RecordedService(reader.read(name, type));
            watched.add(service);
            server.bind(name, service.object());
        });
    }

    /** The endpoint at which the program finds the services. */
    public String broker() {
        return broker.endpoint().toString();
    }

    /**
     * Runs the program against real services, then with the agent against the recorded outcomes.
     *
     * @param real the broker of the real services
     * @return the result of the comparison
     */
    public Comparison againstRecorded(
            Endpoint real, JvmCommand written, JvmCommand rewritten, @Nullable Pattern ignored) throws IOException {
        try (Node client = Node.connect(
                NodeOptions.DEFAULT.withName("cleave-record").withBroker(real).withBindings(bindings))) {
            Map<String, Object> stubs = new LinkedHashMap<>();
            services.forEach((name, type) -> stubs.put(name, client.lookup(name, type)));
            Recording recording = new Recording();
            Run first = run(written, recording.recorder(stubs));
            return compare(first, run(rewritten, recording.player(stubs)), ignored);
        }
    }

    /** Runs the program twice against a script; one call of {@code failing} fails, none if it is 0. */
    public Comparison againstScript(
            long seed, int failing, JvmCommand written, JvmCommand rewritten, @Nullable Pattern ignored)
            throws IOException {
        Run first = run(written, new Script(seed, failing));
        return compare(first, run(rewritten, new Script(seed, failing)), ignored);
    }

    /**
     * The result of a comparison.
     *
     * @param calls the number of calls of the program as written
     * @param differences each a line
     */
    public record Comparison(int calls, Finished written, Finished rewritten, List<String> differences) {}

    private Run run(JvmCommand command, Answers answers) {
        RecordedService.Act act = new RecordedService.Act(answers);
        watched.forEach(service -> service.begin(act));
        Finished finished = fleet.run(command);
        return new Run(finished, act.calls());
    }

    private static Comparison compare(Run written, Run rewritten, @Nullable Pattern ignored) throws IOException {
        return new Comparison(
                written.calls().size(),
                written.finished(),
                rewritten.finished(),
                new Differences(ignored).of(written, rewritten));
    }

    @Override
    public void close() {
        server.close();
        broker.close();
    }
}
