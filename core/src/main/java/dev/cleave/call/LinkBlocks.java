package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import org.jspecify.annotations.Nullable;

/** The large values that go over one link, both ways: nothing is kept for them before the first. */
public final class LinkBlocks {

    private final Link link;
    private final CallTable calls;
    private volatile @Nullable Flows flows; // written under this

    @GuardedBy("this")
    private boolean closed;

    private record Flows(Inflows in, Outflows out, ArrivingReplies arriving) {

        void close() {
            out.close();
            arriving.close();
            in.close();
        }
    }

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
        this.link = requireNonNull(link, "link");
        this.calls = requireNonNull(calls, "calls");
    }

    /** A message has come whose blocks follow; as {@link Inflows#open}. Event thread only. */
    public Inflow open(StreamKey key, List<Blocks> announced, Inflows.Room room) {
        return flows().in().open(key, announced, room);
    }

    /** The caller waits for the result of a call, which may have had no room yet. On any thread. */
    public void wanted(long id) {
        Flows known = flows;
        if (known != null) {
            known.arriving().wanted(id);
        }
    }

    /** Lets a message come that had no room; as {@link Inflows#start}. Event thread only. */
    void start(Inflow flow) {
        flows().in().start(flow);
    }

    /** Sends the blocks of a message after its frame, which {@code writing} writes. */
    public void send(Outflow blocks, Runnable writing) {
        Outflows out = flows().out();
        out.register(blocks);
        writing.run();
        out.start(blocks);
    }

    /** Sends no more of the blocks of a message; says whether there was more. */
    public boolean stop(Outflow blocks) {
        return flows().out().forget(blocks);
    }

    void onChunk(ByteBuf frame) {
        Flows known = flows();
        StreamKey givenUp = known.in().onChunk(frame);
        if (givenUp != null && givenUp.isOfReply()) {
            known.arriving().givenUp(givenUp.id());
        }
    }

    void onCredit(ByteBuf frame) {
        flows().out().onCredit(Credit.read(frame));
    }

    /** A reply has come whose blocks follow. */
    void onReply(ByteBuf frame) {
        flows().arriving().onReply(frame);
    }

    /** A FAILURE has come for no call that waits; says whether it is of a result that is arriving. */
    boolean failed(ByteBuf frame) {
        Flows known = flows;
        return known != null && known.arriving().failed(frame);
    }

    /** Whether blocks of messages are on their way out. */
    public boolean areSending() {
        Flows known = flows;
        return known != null && known.out().size() > 0;
    }

    /** How many results go on arriving though their calls have ended. */
    int results() {
        Flows known = flows;
        return known == null ? 0 : known.arriving().results();
    }

    void onWritable() {
        Flows known = flows;
        if (known != null) {
            known.out().onWritable();
        }
    }

    /** Nobody waits for the reply of a call any more. */
    void forgotten(long id) {
        Flows known = flows;
        if (known != null) {
            known.arriving().drop(id);
        }
    }

    /** The caller has given up a call, whose reply may be on its way. */
    void cancelled(int peer, long id) {
        Flows known = flows;
        if (known != null) {
            known.out().cancelReply(peer, id);
            known.in().cancel(new StreamKey(peer, id, false));
        }
    }

    /** A relayed peer is gone. */
    void peerGone(int peer) {
        Flows known = flows;
        if (known != null) {
            known.out().dropPeer(peer);
            known.in().peerGone(peer);
        }
    }

    /** The connection is gone. */
    void close() {
        Flows known;
        synchronized (this) {
            closed = true;
            known = flows;
        }
        if (known != null) {
            known.close();
        }
    }

    private Flows flows() {
        Flows known = flows;
        return known != null ? known : begin();
    }

    private synchronized Flows begin() {
        Flows made = flows;
        if (made == null) {
            long inAdvance = link.has(Hello.CREDIT_IN_ADVANCE) ? Hello.FIRST_CREDIT : 0;
            made = new Flows(
                    new Inflows(link.context().arrivals(), new Way(link), inAdvance),
                    new Outflows(link.connection(), link.context().timer(), inAdvance),
                    new ArrivingReplies(link, calls));
            if (closed) {
                made.close();
            }
            flows = made;
        }
        return made;
    }
}
