package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.ConnectionLostException;
import dev.cleave.Idempotent;
import dev.cleave.OverloadException;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ScriptedPeers.Peer;
import dev.cleave.client.ScriptedPeers.Ways;
import dev.cleave.replica.Attempts;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Moved;
import dev.cleave.wire.Recall;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a call whose way breaks, or whose server refuses, moves or does not answer it; step by step. */
@Tag("one-jdk")
class CallJourneyTest {

    private static final int AGAIN = 0;
    private static final int HEDGED = 1;
    private static final int ONCE = 2;
    private static final Duration PAUSE = Duration.ofMillis(150);

    private final ScriptedPeers net = new ScriptedPeers();
    private final Ways ways = new Ways();
    private final ServiceCalls calls = net.calls(Desk.class, ways);
    private final Peer one = net.dial("one");
    private final Peer two = net.dial("two");

    /** Is called. */
    @Remote
    interface Desk {

        @Idempotent
        int again(int value);

        @Idempotent(hedge = "10ms")
        int hedged(int value);

        int once(int value);
    }

    @AfterEach
    void close() {
        net.close();
    }

    /** A call that is made explicitly, on its way to the first replica. */
    private ClientCall start(int method) {
        ways.first.add(one.hop());
        Outgoing call = calls.begin(method);
        call.values().putInt(42);
        ClientCall sent = (ClientCall) call.start();
        net.settle();
        return sent;
    }

    /** A call that the program has not come to, on its way to the first replica. */
    private ClientCall sendAhead(int method) {
        ways.first.add(one.hop());
        return ahead(method);
    }

    private ClientCall ahead(int method) {
        Outgoing call = calls.begin(method);
        call.values().putInt(42);
        Handle sent = call.send();
        net.settle();
        return (ClientCall) sent;
    }

    private static RequestHead head(Peer at) {
        return RequestHead.read(at.only(FrameKind.REQUEST).duplicate());
    }

    private void cut(Peer peer) {
        peer.cut();
        net.settle();
    }

    private static void assertInDoubt(ClientCall call) {
        assertThatThrownBy(call::awaitInt).isInstanceOfSatisfying(ConnectionLostException.class, e -> {
            assertThat(e.maybeExecuted()).isTrue();
            assertThat(e.notExecuted()).isFalse();
        });
    }

    @Test
    void anAnswerEndsTheCall() throws Throwable {
        ClientCall call = start(ONCE);
        assertThat(call.isDone()).isFalse();

        one.answer(one.request(), 7);

        assertThat(call.awaitInt()).isEqualTo(7);
        assertThat(one.link().pendingCalls()).isZero();
    }

    @Test
    void aCallWithoutAWayEndsUnsent() {
        Outgoing call = calls.begin(ONCE);
        call.values().putInt(42);
        ClientCall sent = (ClientCall) call.start();

        assertThat(sent.isUnsent()).isTrue();
        assertThatThrownBy(sent::awaitInt).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.notExecuted())
                .isTrue());
    }

    @Test
    void aPlainCallWhoseWayIsLostAsksItsServerAndGetsTheAnswer() throws Throwable {
        ClientCall call = start(ONCE);
        long number = one.request();
        Peer back = net.dial("one");
        ways.again.add(back.hop());

        cut(one);

        Recall asked = Recall.read(back.only(FrameKind.RECALL).duplicate());
        assertThat(asked.call()).isEqualTo(number);
        assertThat(asked.connection()).isEqualTo(one.link().number());
        back.answer(asked.id(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void aPlainCallOfWhichItsServerHasNotHeardIsSentAgain() throws Throwable {
        ClientCall call = start(ONCE);
        Peer back = net.dial("one");
        ways.again.add(back.hop());
        ways.next.add(two.hop());
        cut(one);

        back.fail(Header.id(back.only(FrameKind.RECALL)), ErrorCode.CONNECTION_LOST, Execution.NOT);
        net.settle();

        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void aPlainCallThatRanAndHasNoAnswerIsInDoubt() {
        ClientCall call = start(ONCE);
        Peer back = net.dial("one");
        ways.again.add(back.hop());
        ways.next.add(two.hop());
        cut(one);

        back.fail(Header.id(back.only(FrameKind.RECALL)), ErrorCode.CONNECTION_LOST, Execution.MAYBE);
        net.settle();

        assertInDoubt(call);
        assertThat(two.frames(FrameKind.REQUEST)).isEmpty();
    }

    @Test
    void aPlainCallWhoseServerIsGoneIsInDoubt() {
        ClientCall call = start(ONCE);
        ways.next.add(two.hop());

        cut(one);

        assertInDoubt(call);
        assertThat(ways.asked).isZero();
    }

    @Test
    void aServerThatCannotBeReachedIsAskedFiveTimesMore() {
        ClientCall call = start(ONCE);
        ways.unreachable = new NoHopException(ErrorCode.NO_REPLICA, "refused", null);
        cut(one);

        for (int missed = 0; missed < 5; missed++) {
            assertThat(call.isDone()).as("missed " + missed).isFalse();
            net.pass(PAUSE);
        }

        assertInDoubt(call);
        assertThat(one.link().isPeerUnreachable()).isTrue();
    }

    @Test
    void aRelayedCallAsksItsBrokerFirstThoughItMayBeRepeated() throws Throwable {
        Peer broker = net.dial("broker");
        ways.first.add(broker.hop());
        Outgoing written = calls.begin(AGAIN);
        written.values().putInt(42);
        ClientCall call = (ClientCall) written.start();
        net.settle();
        Peer back = net.dial("broker");
        ways.again.add(back.hop());

        cut(broker);

        back.answer(Header.id(back.only(FrameKind.RECALL)), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
        assertThat(ways.asked).isZero();
    }

    @Test
    void aCallThatBrokersSendBackForWantOfAReplicaIsSentUntilOneHasAReplica() throws Throwable {
        Peer broker = net.dial("broker");
        ways.first.add(broker.hop());
        Outgoing written = calls.begin(ONCE);
        written.values().putInt(42);
        ClientCall call = (ClientCall) written.start();
        net.settle();
        for (int i = 0; i <= Attempts.MOST; i++) {
            assertThat(call.isDone()).as("after it was sent back %d times", i).isFalse();
            Peer other = net.dial("broker");
            ways.next.add(other.hop());
            broker.fail(broker.request(), ErrorCode.CONNECTION_LOST, Execution.NOT);
            net.pass(Duration.ofMillis(320));
            broker = other;
        }

        broker.answer(broker.request(), 7);

        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void aCallThatABrokerHasSentBackWaitsForAWay() throws Throwable {
        Peer broker = net.dial("broker");
        ways.first.add(broker.hop());
        Outgoing written = calls.begin(ONCE);
        written.values().putInt(42);
        ClientCall call = (ClientCall) written.start();
        net.settle();

        broker.fail(broker.request(), ErrorCode.CONNECTION_LOST, Execution.NOT);
        net.pass(PAUSE);
        Peer other = net.dial("broker");
        ways.next.add(other.hop());
        net.pass(PAUSE);

        other.answer(other.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void anIdempotentCallGoesElsewhereAtOnce() throws Throwable {
        ClientCall call = start(AGAIN);
        ways.next.add(two.hop());

        cut(one);

        assertThat(call.journey().stage()).isEqualTo(Stage.SENT_AGAIN);
        assertThat(call.isInPlace()).isFalse();
        assertThat(head(two).deadlineMicros()).isPositive();
        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void anIdempotentCallIsSentThreeTimesThenItsServerIsAskedThenItIsInDoubt() {
        ClientCall call = start(AGAIN);
        Peer three = net.dial("three");
        ways.next.add(two.hop());
        ways.next.add(three.hop());
        cut(one);
        cut(two);
        net.pass(Duration.ofSeconds(1));
        assertThat(three.frames(FrameKind.REQUEST)).hasSize(1);
        Peer back = net.dial("three");
        ways.again.add(back.hop());

        cut(three);

        assertThat(call.isDone()).isFalse();
        assertThat(back.frames(FrameKind.RECALL)).hasSize(1);
        cut(back);
        assertInDoubt(call);
    }

    @Test
    void aFullReplicaLeavesTheCallToAnother() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = start(ONCE);
        ways.next.add(two.hop());

        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        net.settle();

        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void aPlainCallHasNoRoomWhereThereIsNoOtherReplica() {
        ClientCall call = start(ONCE);

        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        net.settle();

        assertThat(ways.asked).isZero();
        assertThatThrownBy(call::awaitInt)
                .isInstanceOfSatisfying(OverloadException.class, e -> assertThat(e.notExecuted())
                        .isTrue());
    }

    @Test
    void aCallThatWasLostAndThenRefusedIsInDoubt() {
        ClientCall call = start(AGAIN);
        ways.next.add(two.hop());
        cut(one);

        two.fail(two.request(), ErrorCode.OVERLOAD, Execution.NOT);
        net.pass(Duration.ofSeconds(1));

        assertThatThrownBy(call::awaitInt)
                .isInstanceOfSatisfying(OverloadException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
    }

    @Test
    void aCallThatIsMovedGoesWhereItIsSaid() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = start(ONCE);
        assertThat(head(one).options().isMovable()).isTrue();
        ways.to = two.hop();

        one.say(new Moved(0, one.request(), "two"));
        net.settle();

        assertThat(head(two).options().hasMoved()).isTrue();
        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void aCallThatIsMovedToAReplicaThatIsGoneGoesToAnother() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = start(ONCE);
        ways.next.add(two.hop());

        one.say(new Moved(0, one.request(), "three"));
        net.settle();

        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void whatIsMovedThoughItMayNotEnds() {
        ways.hasChoice = true;
        ClientCall call = start(ONCE);
        call.cancel();

        one.say(new Moved(0, one.request(), "two"));
        net.settle();

        assertThat(call.isDone()).isTrue();
        assertThat(two.frames(FrameKind.REQUEST)).isEmpty();
    }

    @Test
    void aSuspectServerLosesItsIdempotentCallsOnly() throws Throwable {
        ways.hasChoice = true;
        ClientCall plain = start(ONCE);
        ClientCall again = start(AGAIN);
        ways.next.add(two.hop());

        plain.suspected();
        again.suspected();
        net.settle();

        assertThat(one.frames(FrameKind.CANCEL)).hasSize(1);
        two.answer(two.request(), 7);
        assertThat(again.awaitInt()).isEqualTo(7);
        assertThat(plain.isDone()).isFalse();
    }

    @Test
    void anErrorWhileACallIsSentAgainEndsIt() {
        ClientCall call = start(AGAIN);
        ways.broken = new StackOverflowError("deep");

        cut(one);

        assertThatThrownBy(call::awaitInt)
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue())
                .hasMessageContaining("StackOverflowError");
    }

    @Test
    void aNodeThatClosesEndsTheCallsThatWouldBeSentAgain() {
        ClientCall call = start(AGAIN);
        net.resends.close();

        cut(one);

        assertInDoubt(call);
    }

    @Test
    void aPlainCallThatIsLostWhenTheNodeClosesIsInDoubt() {
        ClientCall call = start(ONCE);
        net.resends.close();

        cut(one);

        assertInDoubt(call);
    }

    @Test
    void aNodeThatClosesEndsTheCallsThatWaitForTheirTurn() {
        ClientCall call = start(AGAIN);
        ways.next.add(two.hop());
        cut(one);
        cut(two); // the second attempt waits for a pause
        assertThat(call.isDone()).isFalse();

        net.resends.close();

        assertInDoubt(call);
    }

    @Test
    void aCallThatEndsWhileItWaitsIsNotSentAgain() {
        ClientCall call = start(AGAIN);
        ways.next.add(two.hop());
        one.cut();
        call.cancel();

        net.settle();

        assertThat(two.frames(FrameKind.REQUEST)).isEmpty();
        assertThat(call.request().isKept()).isFalse();
    }

    @Test
    void aCallThatTakesLongIsHedgedAndTheFirstAnswerCounts() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = start(HEDGED);
        ways.next.add(two.hop());
        net.pass(Duration.ofMillis(10));

        two.answer(two.request(), 7);

        assertThat(call.awaitInt()).isEqualTo(7);
        assertThat(Header.id(one.only(FrameKind.CANCEL))).isEqualTo(one.request());
        assertThat(one.link().pendingCalls()).isZero();
        assertThat(net.resends.hedgesWon()).isEqualTo(1);
    }

    @Test
    void aHedgeThatIsSlowerIsGivenUp() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = start(HEDGED);
        ways.next.add(two.hop());
        net.pass(Duration.ofMillis(10));

        one.answer(one.request(), 7);

        assertThat(call.awaitInt()).isEqualTo(7);
        assertThat(two.frames(FrameKind.CANCEL)).hasSize(1);
        assertThat(two.link().pendingCalls()).isZero();
        assertThat(net.resends.hedgesWon()).isZero();
    }

    @Test
    void aHedgeThatFailsLeavesTheCallToItsFirstRequest() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = start(HEDGED);
        ways.next.add(two.hop());
        net.pass(Duration.ofMillis(10));

        cut(two);
        assertThat(call.isDone()).isFalse();
        one.answer(one.request(), 7);

        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void aCallThatIsRefusedWhileItsHedgeMayRunIsInDoubt() {
        ways.hasChoice = true;
        ClientCall call = start(HEDGED);
        ways.next.add(two.hop());
        net.pass(Duration.ofMillis(10));

        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        net.settle();

        assertThatThrownBy(call::awaitInt)
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue());
    }

    @Test
    void aCallOfAChainIsNotSentElsewhere() {
        ways.hasChoice = true;
        ways.first.add(one.hop());
        Outgoing written = calls.begin(ONCE, Chain.stopping());
        written.values().putInt(42);
        Chain chain = Chain.stopping();
        ClientCall call = (ClientCall) written.chain(chain);
        net.settle();

        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        net.settle();

        assertThat(ways.asked).isZero();
        assertThat(call.isRefusedForNow()).isTrue();
        assertThat(chain.isBroken()).isTrue();
    }

    @Test
    void aCallAsksWhenTheOneBeforeItHasItsAnswer() throws Throwable {
        Chain chain = Chain.stopping();
        ways.first.add(one.hop());
        ClientCall first = inChain(chain);
        ClientCall second = inChain(chain);
        Peer back = net.dial("one");
        ways.again.add(back.hop());
        ways.again.add(back.hop());

        cut(one);

        assertThat(back.frames(FrameKind.RECALL)).hasSize(1);
        back.answer(Header.id(back.only(FrameKind.RECALL)), 7);
        net.settle();
        assertThat(back.frames(FrameKind.RECALL)).hasSize(2);
        back.answer(Header.id(back.frames(FrameKind.RECALL).get(1)), 8);
        assertThat(first.awaitInt()).isEqualTo(7);
        assertThat(second.awaitInt()).isEqualTo(8);
    }

    private ClientCall inChain(Chain chain) {
        Outgoing written = calls.begin(ONCE, chain);
        written.values().putInt(42);
        ClientCall call = (ClientCall) written.chain(chain);
        net.settle();
        return call;
    }

    @Test
    void aCallThatWasSentAheadAndRefusedIsMadeAtItsPlace() throws Throwable {
        ClientCall call = sendAhead(ONCE);
        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        assertThat(call.isRefusedForNow()).isTrue();
        two.answersAll(9);
        ways.first.add(two.hop());

        assertThat(call.awaitInt()).isEqualTo(9);
        assertThat(two.frames(FrameKind.REQUEST)).hasSize(1);
        assertThat(call.awaitInt()).as("the same one").isEqualTo(9);
    }

    @Test
    void aCallThatWasSentAheadAndGivenUpIsNotMadeAnew() {
        ClientCall call = sendAhead(ONCE);
        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        call.discard();

        assertThat(call.isRefusedForNow()).isFalse();
        assertThatThrownBy(call::awaitInt).isInstanceOf(OverloadException.class);
    }

    @Test
    void whatIsWithdrawnIsCancelledAtItsServer() {
        ClientCall call = sendAhead(ONCE);

        call.withdrawn();
        assertThat(one.frames(FrameKind.CANCEL)).hasSize(1);
        assertThat(call.isDone()).isFalse();
        one.fail(one.request(), ErrorCode.CANCELLED, Execution.NOT);
        call.discard();

        assertThat(call.isDone()).isTrue();
        assertThat(one.frames(FrameKind.CANCEL)).hasSize(1);
    }

    @Test
    void theObjectOfAnAnsweredCallServesAgain() throws Throwable {
        ClientCall call = awaited(AGAIN);
        one.answer(one.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);

        call.spend();

        assertThat(call.isSpent()).isTrue();
        assertThat(call.again().isDone()).isFalse();
        assertThat(call.isSpent()).isFalse();
    }

    @Test
    void theObjectOfACallThatWasSentAgainDoesNot() throws Throwable {
        ClientCall call = awaited(AGAIN);
        ways.next.add(two.hop());
        cut(one);
        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);

        call.spend();

        assertThat(call.isSpent()).isFalse();
    }

    @Test
    void theObjectOfACallThatAskedDoesNot() throws Throwable {
        ClientCall call = awaited(ONCE);
        Peer back = net.dial("one");
        ways.again.add(back.hop());
        cut(one);
        back.answer(Header.id(back.only(FrameKind.RECALL)), 7);
        assertThat(call.awaitInt()).isEqualTo(7);

        call.spend();

        assertThat(call.isSpent()).isFalse();
    }

    @Test
    void theObjectOfACallThatWasMovedDoesNot() throws Throwable {
        ways.hasChoice = true;
        ClientCall call = awaited(ONCE);
        ways.to = two.hop();
        one.say(new Moved(0, one.request(), "two"));
        net.settle();
        two.answer(two.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);

        call.spend();

        assertThat(call.isSpent()).isFalse();
    }

    @Test
    void theObjectOfACallThatSomebodyElseLooksAtDoesNot() throws Throwable {
        ClientCall before = awaited(AGAIN);
        before.onEnd(() -> {});
        one.answer(one.request(), 7);
        before.spend();
        assertThat(before.isSpent()).as("told of its end").isFalse();

        ways.first.add(two.hop());
        ClientCall after = sent(AGAIN);
        two.answer(two.request(), 7);
        after.onEnd(() -> {});
        after.spend();
        assertThat(after.isSpent()).as("told after its end").isFalse();
    }

    @Test
    void theObjectOfAFailedCallDoesNot() {
        ClientCall call = awaited(ONCE);
        one.fail(one.request(), ErrorCode.INTERNAL, Execution.EXECUTED);

        call.spend();

        assertThat(call.isSpent()).isFalse();
    }

    /** A call whose caller waits for it, on its way to the first replica. */
    private ClientCall awaited(int method) {
        ways.first.add(one.hop());
        return sent(method);
    }

    private ClientCall sent(int method) {
        RemoteMethod called = ScriptedPeers.contract(Desk.class, "application: test")
                .methods()
                .get(method);
        ClientCall call = new ClientCall(net.service(Desk.class, ways), called);
        ByteBuf frame = UnpooledByteBufAllocator.DEFAULT.heapBuffer();
        RequestFrame.begin(frame, net.number(called));
        frame.writeInt(42);
        Header.finish(frame);
        call.waitsFromBeginning();
        call.send(frame, -1, true);
        net.settle();
        return call;
    }

    @Test
    void aTaskRunsWhenACallThatWasMadeAnewIsSettled() throws Throwable {
        ClientCall call = sendAhead(ONCE);
        int[] settled = {0};
        call.onSettled(() -> settled[0]++);
        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        assertThat(settled[0]).isZero();
        two.answersAll(9);
        ways.first.add(two.hop());

        call.awaitInt();

        assertThat(settled[0]).isEqualTo(1);
    }

    @Test
    void anErrorWhileAServerIsAskedEndsTheCall() {
        ClientCall call = start(ONCE);
        ways.brokenBack = new StackOverflowError("deep");

        cut(one);

        assertInDoubt(call);
    }

    @Test
    void aStageThatCannotBeEndsTheCall() {
        ways.hasChoice = true;
        ClientCall call = start(ONCE);
        call.journey().move(Stage.WAITING);

        one.say(new Moved(0, one.request(), "two"));

        assertThatThrownBy(call::awaitInt)
                .isInstanceOf(CallException.class)
                .hasMessageContaining("stage of a call: MOVED after WAITING");
        assertThat(one.isClosed()).isFalse();
    }

    @Test
    void aLinkThatIsLostWhileACallIsEnteredLeavesTheCallToTheNextOne() throws Throwable {
        ClientCall call = start(AGAIN);
        Peer three = net.dial("three");
        ways.next.add(two.hop());
        ways.next.add(three.hop());
        two.breaksAtWrite();

        cut(one);
        net.pass(Duration.ofSeconds(1));

        three.answer(three.request(), 7);
        assertThat(call.awaitInt()).isEqualTo(7);
    }

    @Test
    void whatWasMadeAnewStandsForTheCallAlsoAfterItWasGivenUp() throws Throwable {
        ClientCall call = sendAhead(ONCE);
        one.fail(one.request(), ErrorCode.OVERLOAD, Execution.NOT);
        two.answersAll(9);
        ways.first.add(two.hop());
        assertThat(call.awaitInt()).isEqualTo(9);

        call.discard();

        assertThat(call.awaitInt()).isEqualTo(9);
    }
}
