package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class JdkThrowablesTest {

    /** Remembers which classes it was asked for; class files are read past it. */
    private static final class Asked extends ClassLoader {

        final Set<String> names = ConcurrentHashMap.newKeySet();

        Asked() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            names.add(name);
            return super.loadClass(name, resolve);
        }
    }

    private final Asked loader = new Asked();
    private final JdkThrowables throwables = new JdkThrowables(loader);

    @Test
    void classesOfTheJdkThatAreNoExceptionsAreNotLoaded() {
        for (String name : List.of(
                "javax.script.ScriptEngineManager",
                "javax.naming.InitialContext",
                "java.rmi.server.UnicastRemoteObject",
                "java.lang.Runnable",
                "java.lang.Object",
                "java.lang.NoSuchClass",
                "java.util.Map$Entry",
                "java..lang.Error",
                "java.lang/Error",
                "java.",
                "java." + "x".repeat(1 << 16),
                "com.sun.rowset.JdbcRowSetImpl")) {
            assertThat(throwables.named(name)).as(name).isNull();
        }

        assertThat(loader.names).isEmpty();
    }

    @Test
    void exceptionsOfTheJdkAreFound() {
        for (Class<?> type : List.of(
                Throwable.class,
                ThreadDeath.class,
                StackOverflowError.class,
                java.util.MissingResourceException.class,
                java.sql.SQLException.class,
                javax.naming.NamingException.class)) {
            assertThat(throwables.named(type.getName())).isEqualTo(type);
        }
    }
}
