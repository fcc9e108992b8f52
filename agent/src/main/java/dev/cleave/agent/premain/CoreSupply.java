package dev.cleave.agent.premain;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.BooleanSupplier;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** Brings the core that the agent's jar may hold to programs that have none on their class path; once. */
final class CoreSupply implements BooleanSupplier {

    private static final String JAR = "core.jar";

    private final Instrumentation instrumentation;
    private @Nullable Boolean brought; // guarded by this

    CoreSupply(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    @Override
    public synchronized boolean getAsBoolean() {
        Boolean known = brought;
        if (known == null) {
            known = bring();
            brought = known;
        }
        return known;
    }

    private boolean bring() {
        try (InputStream in = CoreSupply.class.getResourceAsStream(JAR)) {
            if (in == null) {
                return false;
            }
            Path file = Files.createTempFile("cleave-core", ".jar");
            file.toFile().deleteOnExit();
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            instrumentation.appendToSystemClassLoaderSearch(new JarFile(file.toFile()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
