package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"unused", "serial"}) // the members are looked for, not called
class OwnFormTest {

    static class Writes implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        transient int twice = 2;

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(twice);
        }
    }

    static final class Inherits extends Writes {
        @Serial
        private static final long serialVersionUID = 1;
    }

    static final class Reads implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    static final class Resolves implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        static final Resolves ONLY = new Resolves();

        @Serial
        private Object readResolve() {
            return ONLY;
        }
    }

    record Replaces(int x) implements Serializable {
        @Serial
        private Object writeReplace() {
            return "x";
        }
    }

    static final class Names implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        @Serial
        private static final ObjectStreamField[] serialPersistentFields = {};
    }

    static final class External implements Externalizable {
        @Override
        public void writeExternal(ObjectOutput out) {}

        @Override
        public void readExternal(ObjectInput in) {}
    }

    record Holder(List<Reads> all) {}

    static final class LosesState extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        transient Object detail = "";

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeObject(detail);
        }
    }

    static final class Complete extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        final int code = 1;

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    /** The JDK would not ask it. */
    static final class NotSerializable {
        Object readResolve() {
            return "x";
        }
    }

    @Test
    void classesThatWouldArriveChangedAreRefusedByName() {
        refused(Writes.class, "OwnFormTest$Writes.writeObject()");
        refused(Inherits.class, "OwnFormTest$Writes.writeObject()");
        refused(Reads.class, "OwnFormTest$Reads.readObject()");
        refused(Resolves.class, "OwnFormTest$Resolves.readResolve()");
        refused(Replaces.class, "OwnFormTest$Replaces.writeReplace()");
        refused(Names.class, "OwnFormTest$Names.serialPersistentFields");
        refused(External.class, "java.io.Externalizable");
        refused(LosesState.class, "OwnFormTest$LosesState.writeObject()");
    }

    @Test
    void theMessageSaysWhereAndWhatToDo() {
        assertThatThrownBy(() -> Bench.policy(List.of(), Holder.class))
                .hasMessage("Shop.order: parameter 1 (item) -> Holder.all: dev.cleave.serial.OwnFormTest$Reads has"
                        + " its own serial form (dev.cleave.serial.OwnFormTest$Reads.readObject()), which is not used"
                        + " here, and cannot be sent (send a record or a class without it, and convert)");
        assertThatThrownBy(() -> Bench.policy(List.of(Resolves.class), Object.class))
                .hasMessageStartingWith("allow: dev.cleave.serial.OwnFormTest$Resolves");
    }

    @Test
    void classesThatArriveAsTheyAreAreNotRefused() {
        assertThat(Bench.policy(List.of(), Complete.class).allows(Complete.class))
                .isTrue();
        assertThat(Bench.policy(List.of(), NotSerializable.class).allows(NotSerializable.class))
                .isTrue();
    }

    private static void refused(Class<?> type, String member) {
        assertThatThrownBy(() -> Bench.policy(List.of(), type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has its own serial form (")
                .hasMessageContaining(member);
    }
}
