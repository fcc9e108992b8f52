package dev.cleave.planted;

import static dev.cleave.testing.MethodChange.after;
import static dev.cleave.testing.MethodChange.before;
import static dev.cleave.testing.MethodChange.calls;
import static dev.cleave.testing.MethodChange.constant;
import static dev.cleave.testing.MethodChange.goesOn;
import static dev.cleave.testing.MethodChange.last;
import static dev.cleave.testing.MethodChange.neverJumps;
import static dev.cleave.testing.MethodChange.omits;
import static dev.cleave.testing.MethodChange.reads;
import static dev.cleave.testing.MethodChange.result;
import static dev.cleave.testing.MethodChange.returnsAtOnce;

import dev.cleave.testing.PlantedClasses;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
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
    EXPIRED_YET_RUN(
            "server.Invocation",
            goesOn("run", 1).and(omits("refuse", "releaseRequest")),
            "server.ServedCallsTest.aCallThatIsRefusedBecauseItsTimeIsOverDoesNotRun"),
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
    REFUSED_YET_RUN(
            "server.Invocation",
            last("refuse", code -> invoke(code, "runInTime", "()V")).and(omits("refuse", "releaseRequest")),
            "server.ServedCallsTest.aCallThatIsRefusedForWantOfRoomDoesNotRun"),
    ANSWERED_AHEAD(
            "server.Invocation",
            before("runInTime", "invoke", ProductionDefect::answer),
            "server.ServedCallsTest.aCallIsAnsweredWhenItsMethodHasEnded"),
    LOST_UPDATE(
            "server.SerialGate", neverJumps("advance", 1), "server.ServedCallsTest.callsOfASerialObjectRunOneAtATime"),
    STALE_RESULT(
            "call.PendingCall",
            omits("renew", "set"),
            "call.PendingCallTest.aCallObjectThatServesAgainHasNothingOfTheCallBefore"),
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
    NO_DEADLINE(
            "call.PendingCall",
            returnsAtOnce("passDeadline", Opcodes.RETURN),
            "call.PendingCallTest.aCallEndsWhenItsTimeIsOver"),
    ENDS_TWICE("call.PendingCall", neverJumps("end", 2), "call.PendingCallTest.theFirstEndOfACallCountsAndNoneAfterIt"),
    LOSES_WORKERS(
            "server.Workers", omits("live", "leave"), "server.WorkersTest.aWorkerGivesItsSlotBackAlsoAfterAnError"),
    REGISTERS_ONCE(
            "client.BrokerSession",
            returnsAtOnce("restore", Opcodes.RETURN),
            "client.BrokerSessionTest.aBrokerThatKnowsNothingOfANodeIsToldItsRegistrationsAgain"),
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
    GROUP_ORDER(
            "server.LaneQueue",
            calls("add", "add", "offerFirst"),
            "server.ServedCallsTest.callsOfAGroupRunInTheOrderInWhichTheyCame"),
    RELEASES_TWICE(
            "ref.Exports",
            after("changed", Opcodes.LNEG, 2, Opcodes.LMUL),
            "ref.ExportsTest.whatHasGoneTwiceAndIsGivenBackOnceIsHeld"),
    RELEASED_EARLY("ref.Export", neverJumps("keep", 1), "ref.ExportsTest.whatHasGoneTwiceAndIsGivenBackOnceIsHeld"),
    CANCELLED_IS_NOT(
            "server.Invocation",
            last("givenUp", ProductionDefect::refuse),
            "server.ServedCallsTest.aCallThatRunsWhenItIsCancelledIsAnsweredOnceWhenItHasEnded");

    private static final String OURS = "dev.cleave.";

    private final String place;
    private final UnaryOperator<byte[]> change;
    private final String test;

    ProductionDefect(String place, UnaryOperator<byte[]> change, String test) {
        this.place = OURS + place;
        this.change = change;
        this.test = OURS + test;
    }

    /** Ends a call with an empty result. */
    private static void answer(MethodVisitor code) {
        invoke(code, "result", "()Ldev/cleave/serial/ValueWriter;");
        code.visitInsn(Opcodes.POP);
        invoke(code, "finish", "()V");
    }

    private static void refuse(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitFieldInsn(Opcodes.GETSTATIC, "dev/cleave/wire/ErrorCode", "CANCELLED", "Ldev/cleave/wire/ErrorCode;");
        code.visitLdcInsn("planted");
        code.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL,
                "dev/cleave/server/Invocation",
                "refuse",
                "(Ldev/cleave/wire/ErrorCode;Ljava/lang/String;)V",
                false);
    }

    /** Calls a method of the call itself. */
    private static void invoke(MethodVisitor code, String method, String descriptor) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "dev/cleave/server/Invocation", method, descriptor, false);
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
