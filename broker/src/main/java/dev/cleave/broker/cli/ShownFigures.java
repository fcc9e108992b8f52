package dev.cleave.broker.cli;

import dev.cleave.broker.process.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Shows the figures of an application that runs: a table at intervals until it is closed, and on demand that of the whole run. */
final class ShownFigures implements AutoCloseable {

    private static final String CLIENT = "client";
    private static final Duration ON_TERMINAL = Duration.ofSeconds(1); // where each table replaces the last one
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);

    private final @Nullable AdminFigures figures;
    private final Application running;
    private final Console console;
    private final Thread shows;

    private ShownFigures(@Nullable AdminFigures figures, Application running, Console console) {
        this.figures = figures;
        this.running = running;
        this.console = console;
        this.shows = new Thread(this::show, "cleave-up-figures");
        shows.setDaemon(true);
    }

    /** The figures of an application; null for one whose processes have no admin ports, of which nothing is shown. */
    static ShownFigures of(@Nullable AdminFigures figures, Application running, Console console) {
        return new ShownFigures(figures, running, console);
    }

    /** Begins to show tables, until it is closed. */
    void start() {
        if (figures != null) {
            shows.start();
        }
    }

    private void show() {
        Duration every = console.isTerminal() ? ON_TERMINAL : ELSEWHERE;
        LiveTable table = new LiveTable();
        try {
            while (true) {
                console.table(table.since(read(), System.nanoTime()));
                TimeUnit.NANOSECONDS.sleep(every.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            console.say("cleave", "no figures any more: " + e.getMessage());
        }
    }

    /** The figures by the names of the processes, in the order in which they were started, the client last. */
    private Map<String, List<AdminFigures.Figure>> read() throws IOException {
        Map<Long, List<AdminFigures.Figure>> byProcess = figures == null ? Map.of() : figures.read();
        Map<String, List<AdminFigures.Figure>> byName = new LinkedHashMap<>();
        for (Member member : running.members()) {
            List<AdminFigures.Figure> of = byProcess.remove(member.pid());
            if (of != null) {
                byName.put(member.name(), of);
            }
        }
        byProcess.values().forEach(of -> byName.computeIfAbsent(CLIENT, name -> new ArrayList<>())
                .addAll(of));
        return byName;
    }

    /** Says what has been since the start. */
    void sayAll() throws IOException {
        LiveTable.ofRun(read()).forEach(console::say);
    }

    @Override
    public void close() {
        shows.interrupt();
        try {
            shows.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (console.isTerminal()) {
            console.table(List.of());
        }
    }
}
