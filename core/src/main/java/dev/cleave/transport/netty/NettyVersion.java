package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.FlightRecording;
import io.netty.util.Version;
import java.security.CodeSource;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says which Netty is on the class path: in many builds another library, or a parent such as Spring Boot's, decides
 * about its version. Netty 4.1 works, with slower synchronous calls; a mixture of 4.1 and 4.2 is refused before a
 * missing class is noticed.
 */
final class NettyVersion {

    /** The version that this was built with. */
    static final String BUILT_WITH = "4.2.18.Final";

    private static final System.Logger LOG = SafeLog.of(NettyVersion.class);
    private static final String LOOPS_OF_4_2 = "io.netty.channel.IoEventLoopGroup";
    private static final List<Part> PARTS = List.of(
            new Part("io.netty.util.concurrent.Future", "io.netty.util.concurrent.ThreadAwareExecutor"),
            new Part("io.netty.channel.EventLoopGroup", LOOPS_OF_4_2),
            new Part("io.netty.channel.epoll.Epoll", "io.netty.channel.epoll.EpollIoHandler"));

    /**
     * A part of Netty, which has a jar of its own.
     *
     * @param known a class of 4.1 and 4.2
     * @param added a class of 4.2
     */
    private record Part(String known, String added) {

        boolean isOf42(@Nullable ClassLoader loader) {
            return sees(loader, added) && place(loader, known).equals(place(loader, added));
        }

        boolean isOf41(@Nullable ClassLoader loader) {
            return sees(loader, known) && !sees(loader, added);
        }
    }

    /** Whether this Netty takes event loops of ours: 4.2 does. */
    static final boolean TAKES_OUR_LOOPS = sees(NettyVersion.class.getClassLoader(), LOOPS_OF_4_2);

    private static final AtomicBoolean TOLD = new AtomicBoolean(TAKES_OUR_LOOPS);

    private static final String FLIGHT_RECORDING = "io.netty.jfr.enabled";

    static {
        // Netty's events of buffers take a start 60 ms of processor time to register; with a recording they are wanted.
        if (System.getProperty(FLIGHT_RECORDING) == null && !FlightRecording.isPossible()) {
            System.setProperty(FLIGHT_RECORDING, "false");
        }
    }

    private NettyVersion() {}

    /**
     * Checks the Netty that this class sees, and logs once if it is 4.1.
     *
     * @throws IllegalStateException if parts of it are 4.1 and others 4.2; the message says what was found and what to set
     */
    static void check() {
        String problem = problem(NettyVersion.class.getClassLoader());
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        if (TOLD.compareAndSet(false, true)) {
            LOG.log(System.Logger.Level.INFO, slower(NettyVersion.class.getClassLoader()));
        }
    }

    /** Describes the mistake if a loader sees parts of Netty 4.1 and others of 4.2; null if it does not. */
    static @Nullable String problem(@Nullable ClassLoader loader) {
        int of42 = 0;
        int of41 = 0;
        for (Part part : PARTS) {
            of42 += part.isOf42(loader) ? 1 : 0;
            of41 += part.isOf41(loader) ? 1 : 0;
        }
        if (of42 == PARTS.size() || of41 == PARTS.size()) {
            return null;
        }
        return found(loader) + " beside 4.2, Cleave needs one version (expected: import dev.cleave:cleave-bom first in"
                + " dependencyManagement, or set netty.version to " + BUILT_WITH
                + ", or use dev.cleave:cleave-shaded, which brings a Netty of its own)";
    }

    /** Says what Netty 4.1 costs. */
    static String slower(@Nullable ClassLoader loader) {
        return found(loader)
                + ": a thread that waits for a reply leaves reading it to another one, so a synchronous call"
                + " takes longer than with 4.2; calls sent ahead hardly do (set netty.version to " + BUILT_WITH
                + " to change it)";
    }

    private static boolean sees(@Nullable ClassLoader loader, String name) {
        try {
            return Class.forName(name, false, loader) != null;
        } catch (ClassNotFoundException | LinkageError e) { // a relocated or mixed Netty
            return false;
        }
    }

    private static String found(@Nullable ClassLoader loader) {
        String versions = Version.identify(loader).values().stream()
                .map(Version::artifactVersion)
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .filter(version -> !version.startsWith("4.2."))
                .collect(Collectors.joining(" and "));
        String version = versions.isEmpty() ? " before 4.2" : " " + versions;
        return "Netty" + version + " is on the class path"
                + place(loader, PARTS.get(1).known());
    }

    private static String place(@Nullable ClassLoader loader, String name) {
        try {
            CodeSource source =
                    Class.forName(name, false, loader).getProtectionDomain().getCodeSource();
            return source == null ? "" : " (" + source.getLocation() + ")";
        } catch (ClassNotFoundException | LinkageError e) {
            return "";
        }
    }
}
