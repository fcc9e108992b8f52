package dev.cleave.lab.chaos;

import dev.cleave.broker.process.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Hosts on one network, each a network namespace of this machine that is joined to one bridge; packets from one host to
 * another can be lost without a word, in one direction. Needs the rights of root. Host 0 is this process.
 *
 * <p>A packet is lost because the host that sends it takes a hardware address that none has for that of the receiver.
 */
final class Hosts implements AutoCloseable {

    private static final String NO_HARDWARE = "02:00:de:ad:00:01";
    private static final int FIRST = 10; // of the last numbers of addresses

    private final String prefix; // at most 9 characters: names of interfaces have 15
    private final String network;
    private final int count;
    private final List<String> undo = new ArrayList<>();
    private final List<String> cuts = new ArrayList<>(); // commands that end them

    private Hosts(int count) {
        long pid = ProcessHandle.current().pid();
        this.count = count;
        prefix = "clv" + pid % 1_000_000;
        network = "10." + (64 + pid / 250 % 128) + "." + pid % 250 + ".";
    }

    /** Whether this process may make hosts. */
    static boolean arePossible() {
        String probe = "clvp" + ProcessHandle.current().pid();
        try {
            return run("ip netns add " + probe).isEmpty()
                    && run("ip netns del " + probe).isEmpty();
        } catch (IllegalStateException e) {
            return false; // there is no such command here
        }
    }

    /** Makes some hosts beside this process. */
    static Hosts open(int count) {
        Hosts hosts = new Hosts(count);
        try {
            hosts.make();
        } catch (RuntimeException e) {
            hosts.close();
            throw e;
        }
        return hosts;
    }

    private void make() {
        must("ip link add " + prefix + " type bridge", "ip link del " + prefix);
        must("ip addr add " + address(0) + "/24 dev " + prefix, "");
        must("ip link set " + prefix + " up", "");
        for (int host = 1; host <= count; host++) {
            String space = space(host);
            must("ip netns add " + space, "ip netns del " + space);
            must("ip link add " + prefix + "v" + host + " type veth peer name eth0 netns " + space, "");
            must("ip link set " + prefix + "v" + host + " master " + prefix + " up", "");
            must("ip -n " + space + " addr add " + address(host) + "/24 dev eth0", "");
            must("ip -n " + space + " link set eth0 up", "");
            must("ip -n " + space + " link set lo up", "");
        }
    }

    /** The address of a host. */
    String address(int host) {
        return network + (host == 0 ? 1 : FIRST + host);
    }

    /** Starts JVMs at a host. */
    Launcher launcher(int host) {
        return Launcher.OWN.behind(List.of("ip", "netns", "exec", space(host)));
    }

    /** Loses all packets from one host to another from now on. */
    void cut(int from, int to) {
        String place = (from == 0 ? "ip neigh" : "ip -n " + space(from) + " neigh") + " replace " + address(to);
        String device = " dev " + (from == 0 ? prefix : "eth0");
        must(place + " lladdr " + NO_HARDWARE + " nud permanent" + device, "");
        cuts.add(place.replace(" replace ", " del ") + device);
    }

    /** Loses all packets between two hosts from now on. */
    void cutBoth(int one, int other) {
        cut(one, other);
        cut(other, one);
    }

    /** Lets all packets through again. */
    void heal() {
        cuts.forEach(Hosts::run);
        cuts.clear();
    }

    @Override
    public void close() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            String unused = run(undo.get(i));
        }
        undo.clear();
    }

    private String space(int host) {
        return prefix + "h" + host;
    }

    private void must(String command, String undoing) {
        String said = run(command);
        if (!said.isEmpty()) {
            throw new IllegalStateException(command + ": " + said);
        }
        if (!undoing.isEmpty()) {
            undo.add(undoing);
        }
    }

    /** Runs a command; returns what it says if it fails, else nothing. */
    private static String run(String command) {
        try {
            Process process = new ProcessBuilder(command.split(" "))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                return "does not end";
            }
            return process.exitValue() == 0 ? "" : said + " (exit code " + process.exitValue() + ")";
        } catch (IOException e) {
            throw new IllegalStateException(command + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
