package dev.cleave.agent.pretend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;

class StubMakerTest {

    /** What is taken as remote. */
    public interface Function {
        double value(double x);
    }

    /** Becomes a stub. */
    public static class Twice implements Function {
        private final Object lock = new Object();

        @Override
        public double value(double x) {
            if (x < 0) {
                throw new IllegalArgumentException("negative");
            }
            return lock == null ? 0 : 2 * x;
        }
    }

    /** Stays: it is not pure. */
    public static class Counting implements Function {
        private int calls;

        @Override
        public double value(double x) {
            return ++calls;
        }
    }

    /** Stays: a stub's {@code hashCode} is final. */
    public static class Hashed implements Function {
        @Override
        public double value(double x) {
            return x;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Hashed;
        }
    }

    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, ClassNode> nodes = new HashMap<>();
    private final ClassLoader made = new ClassLoader(StubMakerTest.class.getClassLoader()) {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                byte[] file = files.get(name);
                if (known != null || file == null) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                byte[] changed = maker().make(file, StubMakerTest.class.getClassLoader());
                return defineClass(name, changed, 0, changed.length);
            }
        }
    };

    StubMakerTest() throws IOException {
        for (Class<?> type : Set.of(Function.class, Twice.class, Counting.class, Hashed.class)) {
            try (InputStream in = type.getResourceAsStream("/" + Type.getInternalName(type) + ".class")) {
                byte[] file = in.readAllBytes();
                ClassNode node = new ClassNode();
                new ClassReader(file).accept(node, 0);
                files.put(type.getName(), file);
                nodes.put(node.name, node);
            }
        }
    }

    private StubMaker maker() {
        return new StubMaker(nodes, Set.of(Type.getInternalName(Function.class)));
    }

    private Object newInstance(Class<?> type) throws ReflectiveOperationException {
        return made.loadClass(type.getName()).getConstructor().newInstance();
    }

    @Test
    void sendsThroughTheTwins() throws Throwable {
        Object twice = newInstance(Twice.class);

        Handle sent =
                (Handle) twice.getClass().getMethod("value$send", double.class).invoke(twice, 21.0);
        Encoded written = (Encoded)
                twice.getClass().getMethod("value$encode", double.class).invoke(twice, 4.0);

        assertThat(twice).isInstanceOf(Pretended.class);
        assertThat(sent.awaitDouble()).isEqualTo(42.0);
        assertThat(written.send().awaitDouble()).isEqualTo(8.0);
    }

    @Test
    void throwsWhatTheMethodThrows() throws Throwable {
        Object twice = newInstance(Twice.class);

        Handle sent =
                (Handle) twice.getClass().getMethod("value$send", double.class).invoke(twice, -1.0);

        assertThat(catchThrowable(sent::awaitDouble))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("negative");
    }

    @Test
    void leavesWhatCannotBeAStub() throws Exception {
        assertThat(newInstance(Counting.class)).isNotInstanceOf(Pretended.class);
        assertThat(newInstance(Hashed.class)).isNotInstanceOf(Pretended.class);
    }

    @Test
    void marksTheInterface() throws Exception {
        Class<?> function = made.loadClass(Function.class.getName());

        assertThat(function.isAnnotationPresent(Remote.class)).isTrue();
        assertThat(function.getMethod("value", double.class).isAnnotationPresent(Pure.class))
                .isTrue();
    }
}
