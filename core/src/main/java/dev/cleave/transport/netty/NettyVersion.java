package dev.cleave.transport.netty;

import io.netty.util.Version;
import java.security.CodeSource;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a Netty that is too old before a missing class is noticed: in many builds another library, or a parent such
 * as Spring Boot's, decides about Netty's version.
 */
final class NettyVersion {

    /** The version that this was built with. */
    static final String BUILT_WITH = "4.2.18.Final";

    private static final String[] SINCE_4_2 = {
        "io.netty.channel.IoEventLoopGroup", "io.netty.channel.epoll.EpollIoHandler"
    };

    private NettyVersion() {}

    /**
     * Checks the Netty that this class sees.
     *
     * @throws IllegalStateException if it is too old; the message says what was found and what to set
     */
    static void check() {
        String problem = problem(NettyVersion.class.getClassLoader());
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
    }

    /** Describes the mistake if the Netty that a loader sees is too old; null if it is not. */
    static @Nullable String problem(@Nullable ClassLoader loader) {
        for (String name : SINCE_4_2) {
            if (!sees(loader, name)) {
                return found(loader) + ", Cleave needs 4.2 (expected: import dev.cleave:cleave-bom first in"
                        + " dependencyManagement, or set netty.version to " + BUILT_WITH
                        + ", or use dev.cleave:cleave-shaded, which brings a Netty of its own)";
            }
        }
        return null;
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
        return "Netty" + version + " is on the class path" + place(loader);
    }

    private static String place(@Nullable ClassLoader loader) {
        try {
            CodeSource source = Class.forName("io.netty.channel.EventLoopGroup", false, loader)
                    .getProtectionDomain()
                    .getCodeSource();
            return source == null ? "" : " (" + source.getLocation() + ")";
        } catch (ClassNotFoundException | LinkageError e) {
            return "";
        }
    }
}
