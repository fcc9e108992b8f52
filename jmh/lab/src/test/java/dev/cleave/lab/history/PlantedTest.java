package dev.cleave.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.planted.ProductionDefect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Of each defect that can be planted a test of one part that fails with the same defect in production, as docs/soundness.md shows;
 * whoever removes one names another.
 */
class PlantedTest {

    private static final Map<Planted, String> TESTS = Map.ofEntries(
            Map.entry(Planted.LOST_PLAIN_GOES_ON, "AttemptsTest.whatHasRunIsNeverIssuedAgainUnlessItsResultIsLost"),
            Map.entry(Planted.FORGETS_REPLIES, "RememberedTest.tellsWhatHasBecomeOfEach"),
            Map.entry(Planted.ANSWER_OF_ANOTHER, "CallTableTest.whateverComesAndGoesIsFoundByItsNumberAndNoOther"),
            Map.entry(Planted.RUNNING_IS_NOT, "RememberedTest.tellsWhatHasBecomeOfEach"),
            Map.entry(Planted.ENDED_IS_NOT, "RememberedTest.tellsWhatHasBecomeOfEach"),
            Map.entry(Planted.NEVER_RECALLS, "CallJourneyTest.aPlainCallWhoseWayIsLostAsksItsServerAndGetsTheAnswer"),
            Map.entry(Planted.RUNS_EXPIRED, "CallEndsTest.whatExpiredInTheQueueDoesNotRunThoughNobodyCancelsIt"),
            Map.entry(Planted.EXPIRED_YET_RUN, "ServedCallsTest.aCallThatIsRefusedBecauseItsTimeIsOverDoesNotRun"),
            Map.entry(Planted.SIXTY_ATTEMPTS, "AttemptsTest.endsAfterThreeAttemptsAndAtTheDeadline"),
            Map.entry(Planted.BEGINS_AFTER_ALL, "RememberedTest.nothingBeginsAnyMoreWhenItIsShut"),
            Map.entry(Planted.LOST_IS_NOT, "CallJourneyTest.aPlainCallWhoseServerIsGoneIsInDoubt"),
            Map.entry(Planted.REQUEST_TWICE, "ReceivedNumbersTest.whateverTheOrderEachNumberIsFirstOnce"),
            Map.entry(Planted.REFUSED_YET_RUN, "ServedCallsTest.aCallThatIsRefusedForWantOfRoomDoesNotRun"),
            Map.entry(Planted.ANSWERED_AHEAD, "ServedCallsTest.aCallIsAnsweredWhenItsMethodHasEnded"),
            Map.entry(Planted.LOST_UPDATE, "ServedCallsTest.callsOfASerialObjectRunOneAtATime"),
            Map.entry(Planted.STALE_RESULT, "PendingCallTest.aCallObjectThatServesAgainHasNothingOfTheCallBefore"),
            Map.entry(
                    Planted.RECALLS_THE_NEXT, "CallJourneyTest.aPlainCallWhoseWayIsLostAsksItsServerAndGetsTheAnswer"),
            Map.entry(
                    Planted.SETTLES_TOO_MUCH, "CallTableTest.oldCallsDoNotStandInTheWayOfManyNewOnesAndCostASlotEach"),
            Map.entry(Planted.RECALL_RUNS_AGAIN, "MemoriesTest.ofAConnectionThatIsForgottenNobodySaysThatNothingCame"),
            Map.entry(Planted.NO_DEADLINE, "PendingCallTest.aCallEndsWhenItsTimeIsOver"),
            Map.entry(Planted.ENDS_TWICE, "PendingCallTest.theFirstEndOfACallCountsAndNoneAfterIt"),
            Map.entry(Planted.LOSES_WORKERS, "WorkersTest.aWorkerGivesItsSlotBackAlsoAfterAnError"),
            Map.entry(
                    Planted.REGISTERS_ONCE,
                    "BrokerSessionTest.aBrokerThatKnowsNothingOfANodeIsToldItsRegistrationsAgain"),
            Map.entry(Planted.FORGETS_DOUBT, "CallJourneyTest.aCallThatWasLostAndThenRefusedIsInDoubt"),
            Map.entry(Planted.DEADLINE_ANEW, "SentAgainTest.aCallThatIsSentAgainHasNoMoreThanWhatIsLeftOfItsTime"),
            Map.entry(Planted.BELIEVES_EMPTY, "ReplicaSetTest.anEmptySetIsBelievedOnlyWhereReplicasWereTakenBack"),
            Map.entry(Planted.CHUNK_TWICE, "InboundStreamsTest.aChunkThatComesTwiceIsPutInItsPlaceOnce"),
            Map.entry(Planted.CHUNK_DROPPED, "InboundStreamsTest.aChunkBeforeWhichOneIsMissingIsRefused"),
            Map.entry(Planted.CALLBACK_TWICE, "LinkCoreTest.aRequestThatComesTwiceIsHandledOnce"),
            Map.entry(Planted.ONE_WAY_TWICE, "LinkCoreTest.aRequestThatComesTwiceIsHandledOnce"),
            Map.entry(Planted.GROUP_ORDER, "ServedCallsTest.callsOfAGroupRunInTheOrderInWhichTheyCame"),
            Map.entry(Planted.RELEASES_TWICE, "ExportsTest.whatHasGoneTwiceAndIsGivenBackOnceIsHeld"),
            Map.entry(Planted.RELEASED_EARLY, "ExportsTest.whatHasGoneTwiceAndIsGivenBackOnceIsHeld"),
            Map.entry(Planted.DISPLACED_SERVES, "RegistryTest.aReplicaIsToldWhenAnotherTakesItsName"),
            Map.entry(
                    Planted.CANCELLED_IS_NOT,
                    "ServedCallsTest.aCallThatRunsWhenItIsCancelledIsAnsweredOnceWhenItHasEnded"));

    @Test
    void thereAreThirty() {
        assertThat(Planted.values()).hasSizeGreaterThanOrEqualTo(30);
        assertThat(TESTS).containsOnlyKeys(Planted.values());
    }

    @Test
    void theTestOfEachDefectExists() throws IOException {
        List<String> missing = new ArrayList<>();
        for (String named : TESTS.values()) {
            String[] parts = named.split("\\.");
            if (!source(parts[0] + ".java").contains("void " + parts[1] + "(")) {
                missing.add(named);
            }
        }

        assertThat(missing).isEmpty();
    }

    /** The one that is in the broker has a test there, {@code DisplacedDefectTest}. */
    @Test
    void eachDefectIsPutIntoProductionCodeInEachBuild() throws IOException {
        Set<String> ofCore =
                Stream.of(ProductionDefect.values()).map(ProductionDefect::name).collect(Collectors.toSet());
        Set<Planted> elsewhere = Stream.of(Planted.values())
                .filter(planted -> !ofCore.contains(planted.name()))
                .collect(Collectors.toSet());

        assertThat(elsewhere).containsExactly(Planted.DISPLACED_SERVES);
        assertThat(source("DisplacedDefectTest.java")).contains(".aReplicaIsToldWhenAnotherTakesItsName\"");
    }

    @Test
    void theTestIsTheOneThatFailsWithTheDefectInProduction() {
        for (ProductionDefect defect : ProductionDefect.values()) {
            assertThat("dev.cleave." + TESTS.get(Planted.valueOf(defect.name())))
                    .as(defect.name())
                    .isEqualTo(defect.test().replaceFirst("^dev\\.cleave\\.\\w+\\.", "dev.cleave."));
        }
    }

    private static String source(String file) throws IOException {
        for (String module : List.of("../../core", "../../broker", ".")) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src", "test", "java"))) {
                List<Path> found = files.filter(path -> path.endsWith(file)).toList();
                if (!found.isEmpty()) {
                    return Files.readString(found.get(0));
                }
            }
        }
        return "";
    }
}
