package dev.cleave.call;

import dev.cleave.stream.Inflow;
import dev.cleave.stream.Inflows;
import dev.cleave.stream.Outflow;
import dev.cleave.stream.Outflows;
import dev.cleave.stream.StreamKey;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Credit;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Hello;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** The large values that go over one link, both ways. */
public final class LinkBlocks {

    private final Inflows inflows;
    private final Outflows outflows;
    private final ArrivingReplies arriving;

    private record Way(Link link) implements Inflows.Way {

        @Override
        public void answer(Frame frame) {
            link.write(frame.write(link.connection().allocator()));
            link.flushAfterRead();
        }

        @Override
        public void execute(Runnable task) {
            link.connection().execute(() -> {
                task.run();
                link.onReadComplete(link.connection());
            });
        }

        @Override
        public void giveUp(String why) {
            link.lose(why);
        }
    }

    LinkBlocks(Link link, CallTable calls) {
        long inAdvance = link.has(Hello.CREDIT_IN_ADVANCE) ? Hello.FIRST_CREDIT : 0;
        outflows = new Outflows(link.connection(), link.context().timer(), inAdvance);
        inflows = new Inflows(link.context().arrivals(), new Way(link), inAdvance);
        arriving = new ArrivingReplies(link, calls);
    }

    /** A message has come whose blocks follow; as {@link Inflows#open}. Event thread only. */
    public Inflow open(StreamKey key, List<Blocks> announced) {
        return inflows.open(key, announced);
    }

    /** Sends the blocks of a message after its frame, which {@code writing} writes. */
    public void send(Outflow blocks, Runnable writing) {
        outflows.register(blocks);
        writing.run();
        outflows.start(blocks);
    }

    /** Sends no more of the blocks of a message; says whether there was more. */
    public boolean stop(Outflow blocks) {
        return outflows.forget(blocks);
    }

    void onChunk(ByteBuf frame) {
        StreamKey givenUp = inflows.onChunk(frame);
        if (givenUp != null && givenUp.isOfReply()) {
            arriving.givenUp(givenUp.id());
        }
    }

    void onCredit(ByteBuf frame) {
        outflows.onCredit(Credit.read(frame));
    }

    /** A reply has come whose blocks follow. */
    void onReply(ByteBuf frame) {
        arriving.onReply(frame);
    }

    /** A FAILURE has come for no call that waits; says whether it is of a result that is arriving. */
    boolean failed(ByteBuf frame) {
        return arriving.failed(frame);
    }

    /** How many results go on arriving though their calls have ended. */
    int results() {
        return arriving.results();
    }

    void onWritable() {
        outflows.onWritable();
    }

    /** Nobody waits for the reply of a call any more. */
    void forgotten(long id) {
        arriving.drop(id);
    }

    /** The caller has given up a call, whose reply may be on its way. */
    void cancelled(int peer, long id) {
        outflows.cancelReply(peer, id);
        inflows.cancel(new StreamKey(peer, id, false));
    }

    /** A relayed peer is gone. */
    void peerGone(int peer) {
        outflows.dropPeer(peer);
        inflows.peerGone(peer);
    }

    /** The connection is gone. */
    void close() {
        outflows.close();
        arriving.close();
        inflows.close();
    }
}
