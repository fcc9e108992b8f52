package dev.cleave.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.Peer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ProcessNamesTest {

    private final ProcessNames names = new ProcessNames();
    private final Peer bank = new Peer("bank", 7, 1, 0, "server");
    private final Peer impostor = new Peer("bank", 7, 1, 0, "guest");

    @Test
    void theFirstIdentityThatComesWithANameHasIt() {
        names.enter(bank);
        names.enter(impostor);

        assertThat(names.belong(bank)).isTrue();
        assertThat(names.belong(impostor)).isFalse();
    }

    @Test
    void anotherProcessOfTheSameNameIsAnotherOne() {
        names.enter(bank);
        Peer later = new Peer("bank", 8, 1, 0, "guest");
        names.enter(later);

        assertThat(names.belong(later)).isTrue();
    }

    @Test
    void aGuestWithManyNamesForgetsItsOwn() {
        names.enter(bank);
        for (int i = 0; i < 2 * ProcessNames.MOST; i++) {
            names.enter(new Peer("guest", i, 1, 0, "guest"));
        }

        assertThat(names.size()).isEqualTo(1 + ProcessNames.MOST);
        names.enter(impostor);
        assertThat(names.belong(impostor)).isFalse();
    }

    @Test
    void withoutIdentitiesNamesAreNotChecked() {
        names.enter(new Peer("bank", 7, 1, 0));

        assertThat(names.belong(new Peer("bank", 7, 1, 0))).isTrue();
        assertThat(names.size()).isZero();
    }
}
