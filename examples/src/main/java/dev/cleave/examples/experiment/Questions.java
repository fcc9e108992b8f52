package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.later.Question;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Asks clients of the experiment on later values for their figures. A case that fails is said and left out; one that comes to wrong
 * results ends the experiment.
 *
 * @param rounds how often each case is measured
 * @param stage where the clients run
 * @param jvm options of theirs
 * @param progress where it is said how far they have come
 */
record Questions(int rounds, Stage stage, List<String> jvm, Progress progress) {

    private static final Duration PATIENCE = Duration.ofMinutes(10); // a call may take its deadline, twice
    private static final String DONE = "done ";
    private static final String FAILED = "failed: ";
    private static final String WRONG = "wrong: ";

    /** Asks a client all in each round, and gives the words of its answers. */
    <Q extends Question> void ask(Client program, List<Q> questions, BiConsumer<Q, String[]> figures) {
        if (questions.isEmpty()) {
            return;
        }
        Member client = stage.start(program, jvm);
        client.awaitLine("ready", PATIENCE);
        answer(client, questions.get(0)); // warms up
        for (int round = 1; round <= rounds; round++) {
            long begin = System.nanoTime();
            for (Q question : questions) {
                progress.show("later: round " + round + " of " + rounds + ", " + question.label());
                String answer = answer(client, question);
                if (answer.startsWith(FAILED)) {
                    progress.say("later: round " + round + ", " + question.label() + " left out, it " + answer);
                } else {
                    figures.accept(question, answer.split(" "));
                }
            }
            long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
            progress.say(
                    "later: round " + round + " of " + rounds + " of " + program.name() + " took " + seconds + " s");
        }
    }

    private static String answer(Member client, Question question) {
        client.send(question.command());
        String answer = client.awaitLine(DONE, PATIENCE).substring(DONE.length());
        if (answer.startsWith(WRONG)) {
            throw new CommandException("later: " + answer + "; see " + client.log());
        }
        return answer;
    }
}
