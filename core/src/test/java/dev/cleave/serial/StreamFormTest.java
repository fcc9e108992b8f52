package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.OptionalDataException;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes with hooks arrive as the JDK's own serialization delivers them. */
class StreamFormTest {

    static class Plain implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        int a = 1;
    }

    /** Two levels with different ways of writing, transient state, primitives of all kinds and objects between them. */
    static class Writes implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        String kept;
        transient int secret;
        transient List<Plain> parts = new ArrayList<>();

        Writes(String kept, int secret) {
            this.kept = kept;
            this.secret = secret;
        }

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(secret);
            out.writeBoolean(true);
            out.writeUTF("text\u20ac");
            out.writeObject(parts);
            out.writeLong(-5);
            out.writeChars("ab");
            out.writeDouble(0.5);
            out.writeObject("last");
            out.write(new byte[] {1, 2, 3});
            out.writeInt(99); // nobody reads it
            out.writeObject("nor this");
        }

        @Serial
        @SuppressWarnings("unchecked")
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            secret = in.readInt();
            if (!in.readBoolean() || !in.readUTF().equals("text\u20ac")) {
                throw new InvalidObjectException("text");
            }
            parts = (List<Plain>) in.readObject();
            if (in.readLong() != -5 || in.readChar() != 'a' || in.readChar() != 'b' || in.readDouble() != 0.5) {
                throw new InvalidObjectException("numbers");
            }
            if (!"last".equals(in.readObject())) {
                throw new InvalidObjectException("last");
            }
            byte[] bytes = new byte[3];
            in.readFully(bytes);
            if (!Arrays.equals(bytes, new byte[] {1, 2, 3})) {
                throw new InvalidObjectException("bytes");
            }
        }

        String state() {
            return kept + secret + parts.size() + (parts.size() > 1 ? parts.get(0) == parts.get(1) : "");
        }
    }

    static final class Inherits extends Writes {
        @Serial
        private static final long serialVersionUID = 1;

        final double more;

        Inherits(String kept, int secret, double more) {
            super(kept, secret);
            this.more = more;
        }

        @Override
        String state() {
            return super.state() + more;
        }
    }

    static class NotSerializable {
        int set = 7; // by the constructor, as the JDK does
    }

    static final class Reads extends NotSerializable implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        int x = 1;
        transient int twice = 2;

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            twice = 2 * x;
            try {
                in.readObject();
                twice = -1;
            } catch (OptionalDataException e) {
                twice += e.eof ? 0 : 100;
            }
        }

        String state() {
            return x + " " + twice + " " + set;
        }
    }

    static final class Singleton implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        static final Singleton ONLY = new Singleton();

        @Serial
        private Object readResolve() {
            return ONLY;
        }
    }

    static final class Period implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        final int from;
        final int to;

        Period(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Serial
        private Object writeReplace() {
            return new Proxy(from, to);
        }

        @Serial
        private void readObject(ObjectInputStream in) throws InvalidObjectException {
            throw new InvalidObjectException("proxy required");
        }

        private static final class Proxy implements Serializable {
            @Serial
            private static final long serialVersionUID = 1;

            final int from;
            final int to;

            Proxy(int from, int to) {
                this.from = from;
                this.to = to;
            }

            @Serial
            private Object readResolve() {
                return new Period(from, to);
            }
        }

        @Override
        public String toString() {
            return from + ".." + to;
        }
    }

    record Wrapped(String text) implements Serializable {
        @Serial
        private Object writeReplace() {
            return text;
        }
    }

    static final class Fields implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        @Serial
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("sum", long.class), new ObjectStreamField("names", List.class)
        };

        int a;
        int b;
        String[] texts = {};

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            ObjectOutputStream.PutField fields = out.putFields();
            fields.put("sum", (long) a << 32 | b);
            fields.put("names", List.of(texts));
            out.writeFields();
        }

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            ObjectInputStream.GetField fields = in.readFields();
            a = (int) (fields.get("sum", 0L) >> 32);
            b = (int) fields.get("sum", 0L);
            texts = ((List<?>) fields.get("names", null)).toArray(new String[0]);
        }

        String state() {
            return a + " " + b + Arrays.toString(texts);
        }
    }

    static final class External implements Externalizable {
        String name;
        External friend;

        public External() {}

        External(String name) {
            this.name = name;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeUTF(name);
            out.writeObject(friend);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            name = in.readUTF();
            friend = (External) in.readObject();
        }

        String state() {
            return name + (friend == this ? " and itself" : "");
        }
    }

    static final class ListOf extends ArrayList<String> implements Externalizable {
        @Serial
        private static final long serialVersionUID = 1;

        public ListOf() {}

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeUTF(String.join(",", this));
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            addAll(List.of(in.readUTF().split(",")));
        }
    }

    static final class Failure extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        transient Object detail;

        Failure(String message, Object detail) {
            super(message);
            this.detail = detail;
        }

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(detail);
        }

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            detail = in.readObject();
        }
    }

    static final class Checked implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        int age;

        Checked(int age) {
            this.age = age;
        }

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.registerValidation(
                    () -> {
                        if (age < 0) {
                            throw new InvalidObjectException("age " + age);
                        }
                    },
                    0);
            in.defaultReadObject();
        }
    }

    static final class Undeclared implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;
    }

    static final class Smuggles implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeObject(new Undeclared());
        }
    }

    private static Writes writes(Writes made) {
        Plain shared = new Plain();
        made.parts.addAll(List.of(shared, shared));
        return made;
    }

    private static Fields fields() {
        Fields made = new Fields();
        made.a = 3;
        made.b = 4;
        made.texts = new String[] {"x", "y"};
        return made;
    }

    private static External external() {
        External made = new External("e");
        made.friend = made;
        return made;
    }

    static Stream<Object> objects() {
        return Stream.of(
                writes(new Writes("w", 42)),
                writes(new Inherits("i", 43, 1.5)),
                new Reads(),
                Singleton.ONLY,
                new Period(1, 2),
                new Wrapped("inside"),
                fields(),
                external(),
                new ListOf(),
                new ArrayList<>(Arrays.asList(Singleton.ONLY, Singleton.ONLY)),
                new TreeMap<>(Map.of("k", writes(new Writes("w", 1)))));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void objectsArriveAsTheJdkDeliversThem(Object object) throws Exception {
        Bench bench = Bench.of(
                Writes.class,
                Inherits.class,
                Reads.class,
                Singleton.class,
                Period.class,
                Wrapped.class,
                Fields.class,
                External.class,
                ListOf.class);
        if (object instanceof ListOf list) {
            list.addAll(List.of("a", "b"));
        }

        Object copy = bench.copy(object);

        assertThat(copy.getClass()).isEqualTo(jdk(object).getClass());
        assertThat(state(copy)).isEqualTo(state(jdk(object)));
    }

    private static Object jdk(Object object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    private static String state(Object object) throws Exception {
        if (object instanceof Map<?, ?> map) {
            return state(new ArrayList<>(map.values()));
        }
        if (object instanceof List<?> list && !(object instanceof ListOf)) {
            StringBuilder all = new StringBuilder();
            for (Object each : list) {
                all.append(state(each)).append(each == Singleton.ONLY).append(';');
            }
            return all.toString();
        }
        try {
            var state = object.getClass().getDeclaredMethod("state");
            state.setAccessible(true);
            return (String) state.invoke(object);
        } catch (NoSuchMethodException e) {
            return object == Singleton.ONLY ? "only" : object.toString();
        }
    }

    @Test
    void objectsKeepTheirIdentityAcrossTheBorder() {
        Bench bench = Bench.of(Writes.class, Plain.class, Singleton.class, Period.class, Object.class);
        Writes object = writes(new Writes("w", 1));
        Period period = new Period(1, 2);

        Object[] copy = (Object[]) bench.copy((Object)
                new Object[] {object.parts.get(0), object, object, Singleton.ONLY, Singleton.ONLY, period, period});

        assertThat(((Writes) copy[1]).parts.get(1)).isSameAs(copy[0]);
        assertThat(copy[2]).isSameAs(copy[1]);
        assertThat(copy[3]).isSameAs(Singleton.ONLY);
        assertThat(copy[4]).isSameAs(Singleton.ONLY);
        assertThat(copy[5]).isSameAs(copy[6]).hasToString("1..2");
    }

    @Test
    void exceptionsWithHooksArriveAsThemselvesWithCauseAndStack() {
        Bench bench = Bench.of(Failure.class);
        Failure thrown = new Failure("broken", List.of(1));
        thrown.initCause(new IOException("disk"));

        Throwable copy = bench.thrown(thrown);

        assertThat(copy).isInstanceOf(Failure.class).hasMessage("broken").hasRootCauseMessage("disk");
        assertThat(((Failure) copy).detail).isEqualTo(List.of(1));
        assertThat(copy.getStackTrace()).hasSameSizeAs(thrown.getStackTrace());
    }

    @Test
    void hooksThatRefuseWhatTheyReadEndTheCallByName() {
        Bench bench = Bench.of(Checked.class, Period.class);

        assertThat(bench.copy(new Checked(1)).age).isEqualTo(1);
        assertThatThrownBy(() -> bench.copy(new Checked(-1)))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("validateObject: java.io.InvalidObjectException: age -1");
    }

    @Test
    void bytesThatAvoidTheProxyAreRefusedByTheClass() {
        Bench bench = Bench.of(Period.class);
        bench.names().announced(0, List.of(Layouts.announced(Period.class)));

        assertThatThrownBy(() -> bench.read(io.netty.buffer.Unpooled.wrappedBuffer(new byte[] {1, 1, 2, 4})))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("proxy required");
    }

    @Test
    void hooksCannotSendWhatIsNotAllowed() {
        assertThatThrownBy(() -> Bench.of(Smuggles.class).copy(new Smuggles()))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("Undeclared is neither named by the remote interface nor allowed");
    }
}
