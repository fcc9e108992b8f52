package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Later;
import dev.cleave.RefusedTypeException;
import dev.cleave.Remote;
import dev.cleave.ValueCodec;
import dev.cleave.config.Bindings;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Codecs of the program between two nodes: of arguments and results, of what comes later, and around objects that stay where they are. */
@Tag("one-jdk")
class CodecsAtNodesTest extends NodesUnderTest {

    private static final int MANY = 100_000;

    /** A callback; also a class of the program implements it that has a codec. */
    @Remote
    public interface Counter {

        /** Counts on. */
        long add(long more);
    }

    /** A class of a library, which no interface of ours can look into. */
    static final class Ledger {
        private final long[] entries;
        private final LongSupplier hidden; // could not be sent
        private final Object note;

        Ledger(long[] entries, Object note) {
            this.entries = entries;
            this.note = note;
            hidden = () -> Arrays.stream(entries).sum();
        }

        long sum() {
            return hidden.getAsLong();
        }
    }

    /** Writes ledgers; what is in the note goes as any other object. */
    static class LedgerCodec implements ValueCodec<Ledger> {

        @Override
        public Class<Ledger> type() {
            return Ledger.class;
        }

        @Override
        public void write(Ledger value, ObjectOutput out) throws IOException {
            out.writeObject(value.entries);
            out.writeObject(value.note);
        }

        @Override
        public Ledger read(ObjectInput in) throws IOException, ClassNotFoundException {
            return new Ledger((long[]) in.readObject(), in.readObject());
        }
    }

    /** Writes only how many entries there are. */
    static final class ShortCodec extends LedgerCodec {

        @Override
        public void write(Ledger value, ObjectOutput out) throws IOException {
            out.writeInt(value.entries.length);
        }

        @Override
        public Ledger read(ObjectInput in) throws IOException {
            return new Ledger(new long[] {in.readInt()}, "short");
        }
    }

    /** A counter that is a value by its codec. */
    static final class Tally implements Counter {
        private final AtomicLong count = new AtomicLong();
        private final Thread owner = Thread.currentThread(); // could not be sent

        @Override
        public long add(long more) {
            return owner == null ? 0 : count.addAndGet(more);
        }
    }

    /** Writes tallies. */
    static final class TallyCodec implements ValueCodec<Tally> {

        @Override
        public Class<Tally> type() {
            return Tally.class;
        }

        @Override
        public void write(Tally value, ObjectOutput out) throws IOException {
            out.writeLong(value.count.get());
        }

        @Override
        public Tally read(ObjectInput in) throws IOException {
            Tally read = new Tally();
            read.count.set(in.readLong());
            return read;
        }
    }

    /** A bank of the old kind. */
    @Remote
    public interface Bank {

        /** Takes and returns by codec. */
        Ledger doubled(Ledger ledger);

        /** Takes many. */
        long all(List<Ledger> ledgers);

        /** Begins before the ledger is there. */
        long later(int small, @Later Ledger ledger);

        /** Its result comes later. */
        Later.Value<Ledger> soon(int entries);

        /** Calls the counter that is in the ledger. */
        long tell(Ledger ledger, long more);

        /** Calls a counter that is declared as what it is. */
        long count(Counter counter, long more);

        /** Takes what may be a counter or its value. */
        String kind(Object counter);
    }

    private static final class RealBank implements Bank {

        @Override
        public Ledger doubled(Ledger ledger) {
            return new Ledger(Arrays.stream(ledger.entries).map(e -> 2 * e).toArray(), ledger.note);
        }

        @Override
        public long all(List<Ledger> ledgers) {
            return ledgers.stream().mapToLong(Ledger::sum).sum();
        }

        @Override
        public long later(int small, Ledger ledger) {
            return small + ledger.sum();
        }

        @Override
        public Later.Value<Ledger> soon(int entries) {
            return Later.Value.of(ledger(entries, "soon"));
        }

        @Override
        public long tell(Ledger ledger, long more) {
            return ((Counter) ledger.note).add(more);
        }

        @Override
        public long count(Counter counter, long more) {
            return counter.add(more);
        }

        @Override
        public String kind(Object counter) {
            return counter instanceof Tally ? "value" : counter instanceof Counter ? "reference" : "other";
        }
    }

    @Override
    Transport transport() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    private static Ledger ledger(int entries, Object note) {
        long[] ones = new long[entries];
        Arrays.fill(ones, 1);
        return new Ledger(ones, note);
    }

    private static Bindings codecs(String more) {
        return Bindings.parse(
                "codecs: [\"" + LedgerCodec.class.getName() + "\", \"" + TallyCodec.class.getName() + "\"]\n" + more,
                "cleave.yaml");
    }

    private Bank bank(Bindings there, Bindings here) {
        node(NodeOptions.DEFAULT.withName("server").withBindings(there)).bind("bank", new RealBank());
        client = node(NodeOptions.DEFAULT.withName("client").withBindings(here));
        return client.lookup("bank", Bank.class);
    }

    @Test
    void argumentsAndResultsAreWrittenByTheirCodec() {
        Bank bank = bank(codecs(""), codecs(""));

        Ledger doubled = bank.doubled(ledger(3, List.of("a")));

        assertThat(doubled.sum()).isEqualTo(6);
        assertThat(doubled.note).isEqualTo(List.of("a"));
        List<Ledger> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(ledger(i, null));
        }
        assertThat(bank.all(many)).isEqualTo(4950);
        assertThat(bank.doubled(ledger(MANY, null)).sum()).isEqualTo(2L * MANY);
    }

    @Test
    void whatComesLaterIsWrittenByItsCodecToo() {
        Bank bank = bank(codecs(""), codecs(""));

        assertThat(bank.later(5, ledger(MANY, "later"))).isEqualTo(MANY + 5);
        Later.Value<Ledger> soon = bank.soon(MANY);
        assertThat(soon.get().sum()).isEqualTo(MANY);
        assertThat(soon.get().note).isEqualTo("soon");
    }

    @Test
    void anObjectThatStaysInItsNodeGoesAsAReferenceInsideAValueOfACodec() {
        Bank bank = bank(codecs(""), codecs(""));
        Counter counter = client.export(Counter.class, new Counter() {
            private long count;

            @Override
            public synchronized long add(long more) {
                return count += more;
            }
        });

        assertThat(bank.tell(ledger(1, counter), 5)).isEqualTo(5);
        assertThat(bank.tell(ledger(1, counter), 6)).isEqualTo(11);
        assertThat(counter.add(1)).as("it was called here").isEqualTo(12);
    }

    /** A codec says that objects of the class are values; {@code export} says of one object that it stays where it is. */
    @Test
    void anObjectOfAClassWithACodecIsAValueUnlessItIsExported() {
        Bank bank = bank(codecs(""), codecs(""));
        Tally value = new Tally();
        Tally exported = client.export(new Tally());

        assertThat(bank.count(value, 4)).isEqualTo(4);
        assertThat(value.count).as("a copy was called").hasValue(0);
        assertThat(bank.kind(value)).isEqualTo("value");
        assertThat(bank.count(exported, 4)).isEqualTo(4);
        assertThat(bank.count(exported, 5)).isEqualTo(9);
        assertThat(exported.count).as("called here").hasValue(9);
        assertThat(bank.kind(exported)).isEqualTo("reference");
    }

    @Test
    void theCodecOfAServiceGoesBeforeThatOfAll() {
        Bindings file = codecs("services: {bank: {codecs: [\"" + ShortCodec.class.getName() + "\"]}}\n");
        Bank bank = bank(file, file);

        Ledger doubled = bank.doubled(ledger(7, null));

        assertThat(doubled.note).isEqualTo("short");
        assertThat(doubled.sum()).as("one entry, the length, twice written").isEqualTo(1);
    }

    @Test
    void aCodecOnOneSideIsNamedByTheOther() {
        Bindings other = codecs("services: {bank: {codecs: [\"" + ShortCodec.class.getName() + "\"]}}\n");
        Bank bank = bank(codecs(""), other);

        assertThatThrownBy(() -> bank.doubled(ledger(1, null)))
                .isInstanceOf(RefusedTypeException.class)
                .hasMessageContaining(LedgerCodec.class.getName())
                .hasMessageContaining(ShortCodec.class.getName());
    }
}
