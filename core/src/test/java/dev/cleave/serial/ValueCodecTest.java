package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Later;
import dev.cleave.ValueCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ValueCodecTest {

    /** A class of a library: no interface names what is in it. */
    static class Money {
        final long cents;
        final Object note;

        Money(long cents, Object note) {
            this.cents = cents;
            this.note = note;
        }

        boolean isEqual(Money other) {
            return cents == other.cents && Objects.equals(note, other.note);
        }
    }

    static final class MoneyCodec implements ValueCodec<Money> {
        @Override
        public Class<Money> type() {
            return Money.class;
        }

        @Override
        public void write(Money value, ObjectOutput out) throws IOException {
            out.writeLong(value.cents);
            out.writeObject(value.note);
        }

        @Override
        public Money read(ObjectInput in) throws IOException, ClassNotFoundException {
            return new Money(in.readLong(), in.readObject());
        }
    }

    /** An abstract type, with a subclass that nobody names. */
    abstract static class Colour {
        abstract int rgb();
    }

    static final class Red extends Colour {
        @Override
        int rgb() {
            return 0xff0000;
        }
    }

    static final class ColourCodec implements ValueCodec<Colour> {
        @Override
        public Class<Colour> type() {
            return Colour.class;
        }

        @Override
        public String format() {
            return "colour/2";
        }

        @Override
        public void write(Colour value, ObjectOutput out) throws IOException {
            out.writeInt(value.rgb());
        }

        @Override
        public Colour read(ObjectInput in) throws IOException {
            int rgb = in.readInt();
            return new Colour() {
                @Override
                int rgb() {
                    return rgb;
                }
            };
        }
    }

    private static final class Broken implements ValueCodec<Money> {
        private final int how;

        Broken(int how) {
            this.how = how;
        }

        @Override
        public Class<Money> type() {
            return Money.class;
        }

        @Override
        public void write(Money value, ObjectOutput out) throws IOException {
            out.writeInt(how == 0 ? 0 : (int) value.cents);
            out.writeInt(1);
        }

        @Override
        public Money read(ObjectInput in) throws IOException {
            int cents = in.readInt();
            int length = in.readInt();
            if (how == 1) {
                Object room = new byte[(length & 0x7ffffff) * 8];
                return new Money(room.hashCode() == 0 ? 0 : cents, null);
            }
            return new Money(cents, null);
        }
    }

    record Cell(Later.Value<Object> content) {}

    private static Bench bench(ValueCodec<?>... codecs) {
        return Bench.writtenBy(List.of(codecs), Money.class, Object.class);
    }

    @Test
    void codecsKeepTheContract() {
        ValueCodecContract.check(
                new MoneyCodec(), List.of(new Money(5, null), new Money(-1, List.of("a", "b"))), Money::isEqual);
        ValueCodecContract.check(new ColourCodec(), List.of(new Red()), (a, b) -> a.rgb() == b.rgb());
    }

    @Test
    void theContractFindsBrokenCodecs() {
        assertThatThrownBy(() -> ValueCodecContract.check(new Broken(0), List.of(new Money(5, null)), Money::isEqual))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("sent ");
        assertThatThrownBy(() -> ValueCodecContract.check(new Broken(1), List.of(new Money(5, null)), Money::isEqual))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of memory (expected: it checks lengths before it allocates)");
    }

    @Test
    void valuesInsideKeepTheirIdentityAndAreChecked() {
        Bench bench = bench(new MoneyCodec());
        List<String> note = new java.util.ArrayList<>(List.of("n"));
        Money money = new Money(1, note);

        List<?> copy = (List<?>) bench.copy((Object) List.of(note, money, money));

        assertThat(((Money) copy.get(1)).note).isSameAs(copy.get(0));
        assertThat(copy.get(2)).isSameAs(copy.get(1));
        assertThatThrownBy(() -> bench.copy(new Money(1, new Red())))
                .hasMessageContaining("Red is neither named by the remote interface nor allowed");
    }

    @Test
    void laterValuesMayBeInside() {
        Bench bench = Bench.writtenBy(List.of(new MoneyCodec()), Money.class, Cell.class);

        Money copy = bench.copy(new Money(1, Later.Value.of("late")));

        assertThat(((Later.Value<?>) copy.note).get()).isEqualTo("late");
    }

    @Test
    void subclassesOfAnAbstractTypeAreWrittenByItsCodec() {
        Bench bench = bench(new ColourCodec());

        Object copy = bench.copy(new Red());

        assertThat(((Colour) copy).rgb()).isEqualTo(0xff0000);
        assertThat(bench.names().name(0)).isEqualTo(Colour.class.getName() + "#v!;colour/2;");
    }

    @Test
    void sidesWithDifferentCodecsRefuseByName() {
        Bench with = bench(new MoneyCodec());
        ByteBuf bytes = with.write(new Money(1, null));
        Codec without = new Codec(Bench.policy(List.of(), Money.class, Object.class), new Numbers());

        assertThatThrownBy(() -> {
                    try (ValueReader reader = without.reader(bytes, with.names())) {
                        reader.takeObject();
                    }
                })
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("it is written by the codec dev.cleave.serial.ValueCodecTest$MoneyCodec there and"
                        + " by its fields here");
    }

    @Test
    void codecsOfSimpleValuesAreRefused() {
        ValueCodec<String> codec = new ValueCodec<>() {
            @Override
            public Class<String> type() {
                return String.class;
            }

            @Override
            public void write(String value, ObjectOutput out) {}

            @Override
            public String read(ObjectInput in) {
                return "";
            }
        };

        assertThatThrownBy(() -> bench(codec)).hasMessageContaining("a codec of java.lang.String");
    }

    @Test
    void codecsThatFailEndTheCallByName() {
        ByteBuf bytes = Unpooled.buffer();
        ValueWriter writer = bench(new MoneyCodec()).codec().writer(bytes);
        writer.putObject(new Money(1, new Object()));

        assertThatThrownBy(() -> writer.finish(i -> "Bank.pay: parameter 1"))
                .hasMessageStartingWith("Bank.pay: parameter 1: ")
                .hasMessageContaining("java.lang.Object is neither named");
    }
}
