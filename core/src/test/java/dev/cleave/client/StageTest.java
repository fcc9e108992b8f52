package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class StageTest {

    private static EnumSet<Stage> after(Stage from) {
        EnumSet<Stage> next = EnumSet.noneOf(Stage.class);
        Arrays.stream(Stage.values()).filter(from::leadsTo).forEach(next::add);
        return next;
    }

    @Test
    void onlyACallOnItsFirstWayServesAgain() {
        assertThat(Arrays.stream(Stage.values()).filter(stage -> stage.leadsTo(Stage.SPENT)))
                .containsExactly(Stage.SENT);
    }

    @Test
    void whatHasLeftItsFirstWayIsNeverOnItAgain() {
        EnumSet<Stage> reached = EnumSet.of(Stage.ASKING, Stage.WAITING, Stage.MOVED);
        boolean grows = true;
        while (grows) {
            EnumSet<Stage> more = EnumSet.copyOf(reached);
            reached.forEach(stage -> more.addAll(after(stage)));
            grows = reached.addAll(more);
        }

        assertThat(reached).containsExactlyInAnyOrder(Stage.ASKING, Stage.WAITING, Stage.MOVED, Stage.SENT_AGAIN);
    }

    @Test
    void aCallThatWaitsCanOnlyBeSentOrAskedFor() {
        assertThat(after(Stage.WAITING)).containsExactlyInAnyOrder(Stage.WAITING, Stage.ASKING, Stage.SENT_AGAIN);
        assertThat(after(Stage.MOVED)).containsExactlyInAnyOrder(Stage.WAITING, Stage.SENT_AGAIN);
    }

    @Test
    void aJourneyRefusesAStageThatDoesNotFollow() {
        Journey journey = new Journey();
        journey.move(Stage.SENT);

        assertThatThrownBy(() -> journey.move(Stage.SENT_AGAIN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("stage of a call: SENT_AGAIN after SENT");
        assertThat(journey.stage()).isEqualTo(Stage.SENT);
    }
}
