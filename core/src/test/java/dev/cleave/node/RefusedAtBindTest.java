package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Classes that cannot travel, and names in {@code allow} that cannot help, end {@code bind} and {@code lookup} with their names. */
@Tag("one-jdk")
class RefusedAtBindTest extends NodesUnderTest {

    /** Takes a thread. */
    @Remote
    interface TakesThread {
        void run(String name, Thread thread);
    }

    /** Returns a stream that is nowhere declared to come later. */
    @Remote
    interface GivesStream {
        InputStream open();
    }

    /** Holds functions, two levels below a parameter. */
    record Holder(List<Runnable> tasks) {}

    /** Takes functions. */
    @Remote
    interface TakesHolder {
        void run(Holder holder);
    }

    /** Is bound to an outer object. */
    class Inner {
        final int number = 1;
    }

    /** Takes an inner object. */
    @Remote
    interface TakesInner {
        void run(Inner inner);
    }

    /** Has state of the JDK's class. */
    static class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    /** Takes a list of the program's. */
    @Remote
    interface TakesNames {
        void run(List<Names> names);
    }

    /** Serves all of them. */
    static final class All implements TakesThread, GivesStream, TakesHolder, TakesInner, TakesNames {
        @Override
        public void run(String name, Thread thread) {}

        @Override
        public InputStream open() {
            return InputStream.nullInputStream();
        }

        @Override
        public void run(Holder holder) {}

        @Override
        public void run(Inner inner) {}

        @Override
        public void run(List<Names> names) {}
    }

    /** A shape; its classes are to be allowed. */
    interface Shape {}

    abstract static class Round implements Shape {}

    static final class Circle extends Round implements Serializable {
        private static final long serialVersionUID = 1;
        int radius = 3;
    }

    /** Takes shapes. */
    @Remote
    interface Shapes {
        String name(Shape shape);
    }

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    private static <T> void bind(Node node, Class<T> type, Object target) {
        node.bind("s", type, type.cast(target));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TakesThread | TakesThread.run: parameter 2 (thread): java.lang.Thread is not a value and cannot be sent
            GivesStream | GivesStream.open: the result: java.io.InputStream is not a value and cannot be sent
            TakesHolder | TakesHolder.run: parameter 1 (holder) -> Holder.tasks: java.lang.Runnable is not a value
            TakesInner | parameter 1 (inner): dev.cleave.node.RefusedAtBindTest$Inner is an inner class and cannot be sent (make it static)
            TakesNames | RefusedAtBindTest$Names extends java.util.ArrayList, whose state cannot be read, and cannot be sent
            """)
    void classesThatCannotTravelAreNamedAtBindAndAtLookup(String name, String text) throws ClassNotFoundException {
        Class<?> type = Class.forName(RefusedAtBindTest.class.getName() + "$" + name);
        Node node = node(NodeOptions.DEFAULT.withName("one"));

        assertThatThrownBy(() -> bind(node, type, new All()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
        assertThatThrownBy(() -> node.lookup("s", type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
        assertThat(node.list()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dev.cleave.node.RefusedAtBindTest$Shape | does not help: it is an interface (allow the classes that implement it)
            dev.cleave.node.RefusedAtBindTest$Round | does not help: it is abstract (allow its subclasses)
            dev.cleave.node.RefusedAtBindTest$Inner | is an inner class and cannot be sent (make it static)
            dev.cleave.node.RefusedAtBindTest$Names | extends java.util.ArrayList, whose state cannot be read
            dev.cleave.node.Nothing | no such class on the class path
            java.lang.Thread | java.lang.Thread is not a value and cannot be sent (a codec may write it, see docs/values.md)
            com.example.nothing.* | does not help: the class path has no class in this package that can be sent
            """)
    void aNameInAllowThatCannotHelpSaysSo(String name, String text) {
        Bindings bindings = Bindings.parse("allow: [\"" + name + "\"]", "cleave.yaml");
        Node node = node(NodeOptions.DEFAULT.withName("one").withBindings(bindings));

        assertThatThrownBy(() -> node.bind("s", (Shapes) Shape::toString))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allow: " + name)
                .hasMessageContaining(text);
        assertThatThrownBy(() -> node.lookup("s", Shapes.class)).hasMessageContaining(text);
    }

    @Test
    void anInterfaceWithoutAClassThatMayBeSentIsNamedAndAllowHelps() {
        Node without = node(NodeOptions.DEFAULT.withName("without"));
        assertThatThrownBy(() -> without.bind("s", (Shapes) Shape::toString))
                .hasMessageContaining("Shapes.name: parameter 1 (shape): no class that may be sent implements")
                .hasMessageContaining("add classes to 'allow' in the application file");

        Bindings bindings = Bindings.parse("allow: [\"" + Circle.class.getName() + "\"]", "cleave.yaml");
        node(NodeOptions.DEFAULT.withName("one").withBindings(bindings))
                .bind("s", (Shapes) shape -> "a circle of " + ((Circle) shape).radius);
        client = node(NodeOptions.DEFAULT.withName("client").withBindings(bindings));

        assertThat(client.lookup("s", Shapes.class).name(new Circle())).isEqualTo("a circle of 3");
    }
}
