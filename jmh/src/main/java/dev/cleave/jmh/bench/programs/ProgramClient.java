package dev.cleave.jmh.bench.programs;

import dev.cleave.jmh.bench.talk.Answers;
import dev.cleave.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client that runs programs in one style: {@code ProgramClient STYLE BROKER DIRECTORY}. Asked {@code PROGRAM RUNS MILLIS} it runs
 * that program at least once, and then until it has run so often or so long, and answers the median of the milliseconds. A text that is
 * not the {@linkplain Program#expected expected} one, which the file {@code PROGRAM.txt} of the directory holds, is a failure.
 */
public final class ProgramClient {

    private final ProgramStyle style;
    private final Services services;
    private final @Nullable Threads threads;
    private final Path directory;

    ProgramClient(ProgramStyle style, Services services, @Nullable Threads threads, Path directory) {
        this.style = style;
        this.services = services;
        this.threads = threads;
        this.directory = directory;
    }

    /** Answers the questions on its standard input until that ends. */
    public static void main(String[] args) throws ReflectiveOperationException, IOException {
        ProgramStyle style = ProgramStyle.valueOf(args[0]);
        Threads threads = style == ProgramStyle.VIRTUAL_THREADS ? Threads.virtual() : null;
        try (Node node = Node.connect(args[1])) {
            ProgramClient client = new ProgramClient(style, Services.of(node::lookup), threads, Path.of(args[2]));
            Answers.give(client::turn);
        }
        System.exit(0); // whatever threads a style has left
    }

    /** The median of the milliseconds of the runs that the words ask for. */
    double[] turn(String[] words) throws IOException {
        Program program = Program.valueOf(words[0]);
        int runs = Integer.parseInt(words[1]);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[2]));
        String expected = Files.readString(directory.resolve(file(program)));
        List<Long> times = new ArrayList<>();
        do {
            long begin = System.nanoTime();
            String text = text(program);
            times.add(System.nanoTime() - begin);
            Difference.check(text, expected);
        } while (times.size() < runs && System.nanoTime() - end < 0);
        Collections.sort(times);
        return new double[] {times.get(times.size() / 2) / 1e6};
    }

    /** Where the expected text of a program is, in the directory of a client. */
    public static String file(Program program) {
        return program.name() + ".txt";
    }

    private String text(Program program) {
        if (threads != null) {
            return program.threaded(threads, services);
        }
        return style == ProgramStyle.HAND ? program.staged(services) : program.written(services);
    }
}
