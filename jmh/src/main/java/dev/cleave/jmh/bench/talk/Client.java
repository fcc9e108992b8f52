package dev.cleave.jmh.bench.talk;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.process.Member;
import java.time.Duration;
import java.util.Arrays;

/** The bench's side: a client in another JVM that answers with figures. Of one thread. */
public final class Client {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Member member;

    /** Wraps a JVM whose main method {@linkplain Answers#give answers}. */
    public Client(Member member) {
        this.member = requireNonNull(member, "member");
    }

    /** Waits until it is ready. */
    public void awaitReady() {
        member.awaitLine(Answers.READY, PATIENCE);
    }

    /**
     * Asks for figures, and waits for them.
     *
     * @throws CommandException if the client could not measure it
     */
    public double[] ask(String question) {
        member.send(question);
        String answer = member.awaitLine("", PATIENCE);
        while (!answer.startsWith(Answers.DONE)) {
            if (answer.startsWith(Answers.FAILED)) {
                throw new CommandException(member.name() + " " + answer);
            }
            answer = member.awaitLine("", PATIENCE);
        }
        return Arrays.stream(answer.substring(Answers.DONE.length()).split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
