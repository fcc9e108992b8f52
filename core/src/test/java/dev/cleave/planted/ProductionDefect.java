package dev.cleave.planted;

import static dev.cleave.testing.MethodChange.after;
import static dev.cleave.testing.MethodChange.constant;
import static dev.cleave.testing.MethodChange.neverJumps;
import static dev.cleave.testing.MethodChange.omits;
import static dev.cleave.testing.MethodChange.reads;
import static dev.cleave.testing.MethodChange.result;
import static dev.cleave.testing.MethodChange.returnsAtOnce;

import dev.cleave.testing.MethodChange;
import dev.cleave.testing.PlantedClasses;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * The defects that the laboratory plants, here in production code of core: each with the place of the defect and a test of the part that
 * notices it. The names are those of {@code Planted} of the laboratory.
 */
public enum ProductionDefect {
    LOST_PLAIN_GOES_ON(
            "replica.Attempts",
            constant("mayGoOn", 0, 1, 1),
            "replica.AttemptsTest.whatHasRunIsNeverIssuedAgainUnlessItsResultIsLost"),
    FORGETS_REPLIES("call.Remembered", omits("ended", "add"), "call.RememberedTest.tellsWhatHasBecomeOfEach"),
    ANSWER_OF_ANOTHER(
            "call.CallTable",
            neverJumps("remove", 2),
            "call.CallTableTest.whateverComesAndGoesIsFoundByItsNumberAndNoOther"),
    RUNNING_IS_NOT("call.Remembered", constant("begins", 1, 3, 0), "call.RememberedTest.tellsWhatHasBecomeOfEach"),
    ENDED_IS_NOT("call.Remembered", constant("ended", 2, 1, 0), "call.RememberedTest.tellsWhatHasBecomeOfEach"),
    NEVER_RECALLS(
            "client.Recovery",
            returnsAtOnce("canBeAsked", Opcodes.IRETURN),
            "client.CallJourneyTest.aPlainCallWhoseWayIsLostAsksItsServerAndGetsTheAnswer"),
    RUNS_EXPIRED(
            "server.ReceivedCall",
            returnsAtOnce("isLateAt", Opcodes.IRETURN),
            "node.CallEndsTest.whatExpiredInTheQueueDoesNotRunThoughNobodyCancelsIt"),
    SIXTY_ATTEMPTS(
            "replica.Attempts",
            constant("areAllMade", 3, 1, 60),
            "replica.AttemptsTest.endsAfterThreeAttemptsAndAtTheDeadline"),
    BEGINS_AFTER_ALL(
            "call.Remembered", constant("begins", 0, 1, 1), "call.RememberedTest.nothingBeginsAnyMoreWhenItIsShut"),
    LOST_IS_NOT(
            "client.Failover",
            reads("isInDoubt", "MAYBE_EXECUTED", "NOT_EXECUTED"),
            "client.CallJourneyTest.aPlainCallWhoseServerIsGoneIsInDoubt"),
    REQUEST_TWICE(
            "call.ReceivedNumbers",
            constant("isFirstOutOfOrder", 0, 1, 1),
            "call.ReceivedNumbersTest.whateverTheOrderEachNumberIsFirstOnce"),
    RECALLS_THE_NEXT(
            "client.Recovery",
            result("<init>", "id", 1, Opcodes.LADD),
            "client.CallJourneyTest.aPlainCallWhoseWayIsLostAsksItsServerAndGetsTheAnswer"),
    SETTLES_TOO_MUCH(
            "call.CallTable",
            neverJumps("lowest", 2),
            "call.CallTableTest.oldCallsDoNotStandInTheWayOfManyNewOnesAndCostASlotEach"),
    RECALL_RUNS_AGAIN(
            "call.Memories",
            constant("recall", 0, 1, 1),
            "call.MemoriesTest.ofAConnectionThatIsForgottenNobodySaysThatNothingCame"),
    ENDS_TWICE("call.PendingCall", neverJumps("end", 2), "call.PendingCallTest.theFirstEndOfACallCountsAndNoneAfterIt"),
    FORGETS_DOUBT(
            "client.Failover",
            constant("isSentAgain", 1, 3, 0),
            "client.CallJourneyTest.aCallThatWasLostAndThenRefusedIsInDoubt"),
    DEADLINE_ANEW(
            "client.Sending",
            result("frame", "remaining", 1_000_000_000_000L, Opcodes.LADD),
            "client.SentAgainTest.aCallThatIsSentAgainHasNoMoreThanWhatIsLeftOfItsTime"),
    BELIEVES_EMPTY(
            "replica.ReplicaSet",
            returnsAtOnce("orLastGood", Opcodes.ARETURN),
            "replica.ReplicaSetTest.anEmptySetIsBelievedOnlyWhereReplicasWereTakenBack"),
    CHUNK_TWICE(
            "stream.StreamReceiver",
            constant("isNext", 0, 1, 1),
            "stream.InboundStreamsTest.aChunkThatComesTwiceIsPutInItsPlaceOnce"),
    CHUNK_DROPPED(
            "stream.StreamReceiver",
            neverJumps("isNext", 2),
            "stream.InboundStreamsTest.aChunkBeforeWhichOneIsMissingIsRefused"),
    CALLBACK_TWICE("call.LinkCore", neverJumps("handle", 4), "call.LinkCoreTest.aRequestThatComesTwiceIsHandledOnce"),
    ONE_WAY_TWICE("call.LinkCore", neverJumps("handle", 4), "call.LinkCoreTest.aRequestThatComesTwiceIsHandledOnce"),
    RELEASES_TWICE(
            "ref.Exports",
            after("changed", Opcodes.LNEG, 2, Opcodes.LMUL),
            "ref.ExportsTest.whatHasGoneTwiceAndIsGivenBackOnceIsHeld"),
    RELEASED_EARLY("ref.Export", neverJumps("keep", 1), "ref.ExportsTest.whatHasGoneTwiceAndIsGivenBackOnceIsHeld");

    private static final String OURS = "dev.cleave.";

    private final String place;
    private final MethodChange change;
    private final String test;

    ProductionDefect(String place, MethodChange change, String test) {
        this.place = OURS + place;
        this.change = change;
        this.test = OURS + test;
    }

    /** The test that notices it, as class and method. */
    public String test() {
        return test;
    }

    /** Runs its test with the defect; returns what the test has thrown, or null if it has passed. */
    @Nullable
    Throwable plant() throws ReflectiveOperationException {
        return new PlantedClasses(place, change).run(test);
    }
}
