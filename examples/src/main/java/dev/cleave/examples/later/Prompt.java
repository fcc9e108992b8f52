package dev.cleave.examples.later;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * A client's side of the experiment: prints {@code ready}, then measures what each line of its standard input asks for, and answers
 * {@code done FIGURES}, {@code done failed: WHY}, or {@code done wrong: WHAT} where a call returned what it must not. Ends with its
 * input.
 */
final class Prompt {

    /** Begins the answer of a case whose results are wrong. */
    private static final String WRONG = "wrong: ";

    private Prompt() {}

    /**
     * The task of a line.
     *
     * @param network the network of the node
     * @param scale the number of the network's seconds that pass in one of ours
     * @param measure returns the figures
     */
    record Task(Network network, int scale, Function<Node, String> measure) {}

    /** Results that are not what they must be. */
    static final class WrongException extends RuntimeException {
        private static final long serialVersionUID = 1;

        WrongException(String message) {
            super(message);
        }
    }

    /** Checks what a call has returned. */
    static void same(Question question, double sum, String what, double expected) {
        if (Double.compare(sum, expected) != 0) {
            throw new WrongException(question.label() + ": " + sum + " " + what + " (expected: " + expected + ")");
        }
    }

    static void obey(Function<String[], Task> tasks) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        Bindings bindings = Bindings.load(Path.of(System.getProperty(Node.FILE_PROPERTY)));
        Endpoint broker = Endpoint.parse(System.getProperty(Node.BROKER_PROPERTY));
        NodeOptions options = NodeOptions.DEFAULT.withBindings(bindings).withBroker(broker);
        System.out.println("ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String answer;
            try {
                answer = run(tasks.apply(line.split(" ")), options);
            } catch (WrongException e) {
                answer = WRONG + e.getMessage();
            } catch (RuntimeException e) { // the other cases may do
                answer = "failed: " + e;
            }
            System.out.println("done " + answer.lines().findFirst().orElse(""));
        }
    }

    private static String run(Task task, NodeOptions options) {
        LinkProfile profile = task.network().scaled(task.scale());
        if (profile == null) {
            try (Node node = Node.connect(options)) {
                return task.measure().apply(node);
            }
        }
        try (SystemTimer timer = SystemTimer.precise("link");
                Transport transport = new LinkTransport(NettyTransport.create(), profile, timer);
                Node node = Node.connect(options.withTransport(transport))) {
            return task.measure().apply(node);
        }
    }
}
