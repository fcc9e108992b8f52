package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.jmh.bench.calls.CallServer;
import dev.cleave.jmh.bench.calls.FirstAnswer;
import dev.cleave.jmh.bench.calls.Middleware;
import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.jmh.bench.start.Hello;
import dev.cleave.jmh.bench.start.IdleAgent;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * The start of a program, from the start of its process to its end: one without remote calls, and one that makes a single
 * call; alone, and beside agents.
 */
final class StartBenchmark implements Benchmark {

    private static final Metric TIME = new Metric("time", "ms");
    private static final String HELLO = "hello";
    private static final String FIRST_ANSWER = "first-answer";
    private static final String ALONE = "no-agent";
    private static final String IDLE = "idle-agent";
    private static final String CLEAVE = "cleave";
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String floor() {
        return IDLE;
    }

    @Override
    public List<String> contenders() {
        return List.of(ALONE, IDLE, CLEAVE);
    }

    @Override
    public List<String> workloads() {
        return List.of(HELLO, FIRST_ANSWER);
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        Path idle = stage.directory().resolve("idle-agent.jar");
        packIdleAgent(idle);
        Map<String, List<String>> options = new LinkedHashMap<>();
        options.put(ALONE, List.of());
        options.put(IDLE, List.of("-javaagent:" + idle));
        options.put(CLEAVE, List.of("-javaagent:" + Agent.required().jar() + "=quiet"));
        options.keySet().removeIf(contender -> !choice.hasContender(this, contender));
        List<Turn> turns = new ArrayList<>();
        if (choice.hasWorkload(HELLO)) {
            options.forEach((contender, given) -> turns.add(turn(
                    HELLO, contender, stage, new JvmCommand(contender, given, Hello.class.getName(), List.of()))));
        }
        if (choice.hasWorkload(FIRST_ANSWER)) {
            String broker = stage.broker(CleaveContender.APPLICATION);
            String where = stage.server(new JvmCommand(
                    "start-server",
                    List.of(),
                    CallServer.class.getName(),
                    List.of(Middleware.CLEAVE_UNIX.name(), broker)));
            List<String> arguments = List.of("echo-unix", where);
            options.forEach((contender, given) -> turns.add(turn(
                    FIRST_ANSWER,
                    contender,
                    stage,
                    new JvmCommand(contender, given, FirstAnswer.class.getName(), arguments))));
        }
        return turns;
    }

    /** The warm-up lets all find their files in memory. */
    private static Turn turn(String workload, String contender, Stage stage, JvmCommand command) {
        return new Turn(
                workload, contender, List.of(TIME), 1, () -> new double[] {stage.run(command) / NANOS_PER_MILLI});
    }

    private static void packIdleAgent(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes head = manifest.getMainAttributes();
        head.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        head.putValue("Premain-Class", IdleAgent.class.getName());
        head.putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(out, manifest)) {
            for (String name : List.of("IdleAgent", "IdleAgent$1")) {
                String path = IdleAgent.class.getPackageName().replace('.', '/') + "/" + name + ".class";
                zip.putNextEntry(new JarEntry(path));
                try (InputStream in = IdleAgent.class.getResourceAsStream(name + ".class")) {
                    if (in == null) {
                        throw new IOException(path + " is not on the class path");
                    }
                    in.transferTo(zip);
                }
            }
        }
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of(
                "start: a JVM that says one word (" + HELLO + ") or connects, makes one call and ends (" + FIRST_ANSWER
                        + "), with the class path of the bench; ratio is that over " + IDLE + ", which transforms nothing");
    }
}
