package dev.cleave.broker.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Machines of a test's own: Linux network namespaces, each with an address {@code 10.77.0.N} on one bridge. Needs no rights; where the
 * kernel allows no user namespaces, tests are skipped.
 */
final class Machines {

    private static final int MINUTES = 2;

    private final Path directory;
    private final int count;
    private final List<String> lines = new ArrayList<>();

    /** Makes {@code count} machines, whose processes write to files in a directory. */
    Machines(Path directory, int count) throws IOException, InterruptedException {
        this.directory = directory;
        this.count = count;
        Process probe = new ProcessBuilder("sh", "-c", "unshare -rnm ip link add br0 type bridge")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assumeTrue(
                probe.waitFor(30, TimeUnit.SECONDS) && probe.exitValue() == 0,
                "no network namespaces here (expected: Linux, unshare and ip, user namespaces allowed)");
    }

    /** The address of a machine, from 1 on. */
    static String address(int machine) {
        return "10.77.0." + machine;
    }

    /** Starts a JVM on a machine, behind those before; {@code name} is that of its output. */
    void start(int machine, String name, String... words) {
        lines.add(command(machine, words) + " >" + name + ".out 2>&1 </dev/null &");
    }

    /** Lets some time pass before the next JVM starts. */
    void pause(double seconds) {
        lines.add("sleep " + seconds);
    }

    /** Runs all, and a last JVM in the foreground; returns its output. Then all machines are gone. */
    String run(int machine, String... words) throws IOException, InterruptedException {
        List<String> script = new ArrayList<>(List.of(
                "cd " + directory,
                "mount -t tmpfs none /run && mkdir -p /run/netns || exit 9",
                "ip link set lo up; ip link add br0 type bridge && ip link set br0 up || exit 9"));
        for (int m = 1; m <= count; m++) {
            script.add("ip netns add m" + m + " && ip link add v" + m + " type veth peer name eth0 netns m" + m
                    + " && ip link set v" + m + " master br0 up && ip -n m" + m + " addr add " + address(m)
                    + "/24 dev eth0 && ip -n m" + m + " link set eth0 up && ip -n m" + m + " link set lo up || exit 9");
        }
        script.addAll(lines);
        script.add(command(machine, words) + " >last.out 2>&1 </dev/null");
        script.add("rc=$?");
        script.add("kill $(jobs -p) 2>/dev/null; wait");
        script.add("exit $rc");
        Path file = directory.resolve("machines.sh");
        Files.write(file, script);
        Process process = new ProcessBuilder("unshare", "-rnm", "--kill-child", "bash", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("script.out").toFile())
                .start();
        try {
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            assertThat(ended && process.exitValue() == 0).as(this::outputs).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(directory.resolve("last.out"), StandardCharsets.UTF_8);
    }

    /** Returns the output of a JVM. */
    String output(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".out"), StandardCharsets.UTF_8);
    }

    private String outputs() {
        StringBuilder all = new StringBuilder();
        try (var files = Files.newDirectoryStream(directory, "*.out")) {
            for (Path file : files) {
                all.append(file.getFileName()).append(":\n").append(Files.readString(file));
            }
        } catch (IOException e) {
            all.append(e);
        }
        return all.toString();
    }

    private static String command(int machine, String... words) {
        return "ip netns exec m" + machine + " "
                + Path.of(System.getProperty("java.home"), "bin", "java")
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m -cp "
                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")) + " "
                + String.join(" ", words);
    }
}
