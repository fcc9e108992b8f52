package dev.cleave.agent.guest;

import java.nio.file.Files;
import java.nio.file.Path;

/** Jars of others that the build has put aside for these tests. */
final class GuestJars {

    private GuestJars() {}

    static Path ecj() {
        return find("ecj");
    }

    static Path jacocoAgent() {
        return find("org.jacoco.agent-runtime");
    }

    static Path kotlin() {
        return find("kotlin-stdlib");
    }

    static Path scala() {
        return find("scala-library");
    }

    static Path springBootLoader() {
        return find("spring-boot-loader");
    }

    private static Path find(String name) {
        Path jar = Path.of("target", "guests", name + ".jar").toAbsolutePath();
        if (!Files.exists(jar)) {
            throw new AssertionError(jar + " is missing (expected: mvn test-compile has put it there)");
        }
        return jar;
    }
}
