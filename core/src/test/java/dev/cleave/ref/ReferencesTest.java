package dev.cleave.ref;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.PeerTables;
import dev.cleave.config.Bindings;
import dev.cleave.serial.Passing.Departure;
import dev.cleave.serial.Reference;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TypePolicy;
import dev.cleave.testing.FakeTimer;
import dev.cleave.testing.Seed;
import dev.cleave.wire.Hello;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReferencesTest {

    private final FakeTimer timer = new FakeTimer();
    private final References references =
            new References(Hello.of("here", 7), new InterfaceReader(Bindings.NONE), timer, new Random(1));
    private final TypePolicy tellers = TypePolicy.of(List.of(new TypePolicy.Root(Teller.class, "test")), List.of());
    private final TypePolicy others = TypePolicy.of(List.of(new TypePolicy.Root(Other.class, "test")), List.of());

    /** Is given out. */
    @Remote
    interface Teller {

        String tell();
    }

    /** Is never given out through this. */
    @Remote
    interface Other {

        String tell();
    }

    /** A node that reaches nobody. */
    private static final class Alone implements Ways {

        @Override
        public Object stub(Target target) {
            throw new AssertionError(target);
        }

        @Override
        public Object service(String service, Class<?> type) {
            throw new AssertionError(service);
        }

        @Override
        public PeerTables dial(String endpoint) {
            throw new AssertionError(endpoint);
        }

        @Override
        public PeerTables throughBroker(Reference.Owner owner) {
            return null;
        }

        @Override
        public Reached replica(String service) {
            throw new AssertionError(service);
        }

        @Override
        public String endpoint() {
            return "";
        }
    }

    @BeforeEach
    void connect() {
        references.connected(new Alone());
    }

    private Reference leave(Object object) {
        Departure departure = references.leaving(object, tellers);
        return departure.reference();
    }

    @Test
    void numbersThatWereNeverGivenOutLeadNowhere() {
        Teller teller = () -> "here";
        Reference reference = leave(teller);
        long seed = Seed.of(ReferencesTest.class);
        System.out.println("ReferencesTest seed " + seed);
        Random random = new Random(seed);

        assertThat(references.called(reference.object(), reference.service()).object())
                .isSameAs(teller);
        for (int i = 0; i < 100_000; i++) {
            Reference.Number guessed = new Reference.Number(random.nextLong(), random.nextLong());
            assertThat(references.called(guessed, reference.service())).isNull();
        }
    }

    @Test
    void anObjectIsCalledThroughTheInterfacesThatItWentThroughAlone() {
        final class Both implements Teller, Other {

            @Override
            public String tell() {
                return "both";
            }
        }
        Both both = new Both();
        Reference reference = leave(both);

        assertThat(references.called(reference.object(), "~" + Other.class.getName()))
                .isNull();

        references.leaving(both, others);
        assertThat(references.called(reference.object(), "~" + Other.class.getName()))
                .isNotNull();
    }

    @Test
    void anObjectKeepsItsNumber() {
        Teller teller = () -> "here";

        assertThat(leave(teller)).isEqualTo(leave(teller));
        assertThat(leave(teller)).isNotEqualTo(leave((Teller) () -> "there"));
        assertThat(references.exported()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void valuesGoThemselvesUnlessTheyWereExported() {
        assertThat(references.leaving(List.of("x"), tellers)).isNull();
        assertThat(references.leaving((Runnable) () -> {}, tellers)).isNull();
    }

    @Test
    void whatWasExportedDoesNotGoWhereItsInterfaceIsNotNamed() {
        Teller teller = () -> "here";
        references.export(Teller.class, teller);

        assertThatThrownBy(() -> references.leaving(teller, others))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("reference to " + Teller.class.getName())
                .hasMessageContaining("which is not named by the remote interface");
        assertThatThrownBy(() -> references.leaving(references.stores().put("x"), others))
                .hasMessageContaining("expected: a parameter or field that is declared as Ref");
    }
}
