package dev.cleave.jmh.bench.talk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The client's side: answers each line of the standard input with figures, until the input ends. */
public final class Answers {

    static final String READY = "ready";
    static final String DONE = "done ";
    static final String FAILED = "failed ";

    private Answers() {}

    /** Measures what a line asks for. */
    @FunctionalInterface
    public interface Question {

        /** The figures that the words of a line ask for. */
        double[] answer(String[] words) throws Exception;
    }

    /** Says that this client is ready, and answers the questions on its standard input until that ends. */
    public static void give(Question question) throws IOException {
        PrintStream out = System.out;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println(READY);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(question, line));
        }
    }

    private static String answer(Question question, String line) {
        try {
            return DONE
                    + Arrays.stream(question.answer(line.split(" ")))
                            .mapToObj(Double::toString)
                            .collect(Collectors.joining(" "));
        } catch (Exception | OutOfMemoryError e) { // whatever was measured has failed, and that is the answer
            return FAILED + line + ": " + e;
        }
    }
}
