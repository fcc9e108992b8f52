package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.util.Version;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a program whose build chose another Netty. */
@Tag("one-jdk")
class NettyVersionTest {

    @Test
    void theNettyThatIsHereIsFine() {
        assertThat(NettyVersion.problem(getClass().getClassLoader())).isNull();
    }

    @Test
    void theVersionThatIsAdvisedIsTheOneThatWeAreBuiltWith() {
        assumeThat(NettyVersion.TAKES_OUR_LOOPS).isTrue();
        assertThat(Version.identify().get("netty-transport").artifactVersion()).isEqualTo(NettyVersion.BUILT_WITH);
    }

    @Test
    void aMixtureOfTwoIsNamedInOneLineWithWhatToSet() {
        assertThat(NettyVersion.problem(new OlderParts("4.1.125.Final")))
                .startsWith("Netty 4.1.125.Final is on the class path (file:")
                .contains("beside 4.2", "netty.version", NettyVersion.BUILT_WITH, "dependencyManagement")
                .hasLineCount(1);
    }

    @Test
    void aTransportOfAMixtureSaysSoInsteadOfMissingAClass() throws ReflectiveOperationException {
        Class<?> transport = Class.forName(NettyTransport.class.getName(), true, new OlderParts("4.1.125.Final"));
        try {
            transport.getMethod("create").invoke(null);
        } catch (InvocationTargetException e) {
            assertThat(e.getCause())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Netty 4.1.125.Final is on the class path");
            return;
        }
        throw new AssertionError("it was made");
    }

    /** Sees the classes of this JVM, but the part of Netty for epoll without what came with 4.2. */
    private static final class OlderParts extends ClassLoader {

        private final String version;

        OlderParts(String version) {
            super(NettyVersionTest.class.getClassLoader());
            this.version = version;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (name.equals("io.netty.channel.epoll.EpollIoHandler")) {
                    throw new ClassNotFoundException(name);
                }
                Class<?> known = findLoadedClass(name);
                if (known != null || !name.startsWith("dev.cleave.") && !name.startsWith("io.netty.")) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (in == null) {
                        throw new ClassNotFoundException(name);
                    }
                    byte[] file = in.readAllBytes();
                    return defineClass(
                            name,
                            file,
                            0,
                            file.length,
                            getParent().loadClass(name).getProtectionDomain());
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            if (!name.endsWith("io.netty.versions.properties")) {
                return super.getResources(name);
            }
            Path file = Files.createTempFile("versions", ".properties");
            file.toFile().deleteOnExit();
            Files.writeString(file, """
                    netty-transport.version=%s
                    netty-transport.buildDate=2025-01-01 00:00:00 +0000
                    netty-transport.commitDate=2025-01-01 00:00:00 +0000
                    netty-transport.shortCommitHash=0
                    netty-transport.longCommitHash=0
                    netty-transport.repoStatus=clean
                    """.formatted(version));
            return Collections.enumeration(List.of(file.toUri().toURL()));
        }
    }
}
