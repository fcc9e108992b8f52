package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.jmh.bench.start.Hello;
import dev.cleave.jmh.bench.start.IdleAgent;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The start of a program without remote calls, from the start of its process to its end: alone, and beside agents. */
final class StartBenchmark implements Benchmark {

    private static final Metric TIME = new Metric("time", "ms");
    private static final String WORKLOAD = "hello";
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
        return List.of(WORKLOAD);
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        Path idle = stage.directory().resolve("idle-agent.jar");
        packIdleAgent(idle);
        return Stream.of(
                        turn(stage, ALONE, List.of()),
                        turn(stage, IDLE, List.of("-javaagent:" + idle)),
                        turn(
                                stage,
                                CLEAVE,
                                List.of("-javaagent:" + Agent.required().jar() + "=quiet")))
                .filter(turn -> choice.hasContender(this, turn.contender()))
                .toList();
    }

    /** The warm-up lets all find their files in memory. */
    private static Turn turn(Stage stage, String contender, List<String> options) {
        JvmCommand command = new JvmCommand(contender, options, Hello.class.getName(), List.of());
        return new Turn(
                WORKLOAD, contender, List.of(TIME), 1, () -> new double[] {stage.run(command) / NANOS_PER_MILLI});
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
        return List.of("start: a JVM that says one word, with the class path of the bench; ratio is that over " + IDLE
                + ", which transforms nothing");
    }
}
