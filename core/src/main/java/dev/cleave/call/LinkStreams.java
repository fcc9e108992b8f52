package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.stream.InboundStreams;
import dev.cleave.stream.OutboundStreams;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.stream.StreamKey;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.stream.StreamSender;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Credit;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Same;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The streams of messages that go over one link, both ways; made when the first message has one. Thread-safe. */
public final class LinkStreams {

    private final Link link;
    private final CallTable calls;
    private volatile @Nullable Streams streams; // written under the monitor of this

    @GuardedBy("this")
    private boolean closed;

    private record Streams(InboundStreams in, OutboundStreams out, StreamedReplies replies) {

        void close() {
            out.close();
            replies.close();
            in.close();
        }
    }

    private record Way(Link link) implements InboundStreams.Way {

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

    LinkStreams(Link link, CallTable calls) {
        this.link = requireNonNull(link, "link");
        this.calls = requireNonNull(calls, "calls");
    }

    /** Begins to receive the blocks of a message; as {@link InboundStreams#open}. Event thread only. */
    public StreamReceiver open(StreamKey key, List<Blocks> announced, ReceiveBudget.Room room) {
        return streams().in().open(key, announced, room);
    }

    /** Says that the caller waits for the result of a call, which may have had no room yet. On any thread. */
    public void wanted(long id) {
        Streams known = streams;
        if (known != null) {
            known.replies().wanted(id);
        }
    }

    /** Makes room for a message that had none; as {@link InboundStreams#start}. Event thread only. */
    void start(StreamReceiver stream) {
        streams().in().start(stream);
    }

    /** Sends the stream of a message after its frame, which {@code writing} writes. */
    public void send(StreamSender stream, Runnable writing) {
        OutboundStreams out = streams().out();
        out.register(stream);
        writing.run();
        out.start(stream);
    }

    /** Sends no more of a stream; says whether there was more. */
    public boolean stop(StreamSender stream) {
        return streams().out().forget(stream);
    }

    void onChunk(ByteBuf frame) {
        Streams known = streams();
        StreamKey givenUp = known.in().onChunk(frame);
        if (givenUp != null && givenUp.isOfReply()) {
            known.replies().givenUp(givenUp.id());
        }
    }

    void onCredit(ByteBuf frame) {
        streams().out().onCredit(Credit.read(frame));
    }

    void onSame(Same said) {
        if (said.isAnswer()) {
            streams().out().onSame(said);
        } else {
            streams().in().onSame(said);
        }
    }

    /** Handles a reply whose blocks follow. */
    void onReply(ByteBuf frame) {
        streams().replies().onReply(frame);
    }

    /** Handles a FAILURE for no call that waits; returns whether it belongs to a result that is arriving. */
    boolean failed(ByteBuf frame) {
        Streams known = streams;
        return known != null && known.replies().failed(frame);
    }

    /** Whether streams of messages are being sent. */
    public boolean areSending() {
        Streams known = streams;
        return known != null && known.out().size() > 0;
    }

    /** Returns how many results of ended calls are still arriving. */
    int results() {
        Streams known = streams;
        return known == null ? 0 : known.replies().results();
    }

    void onWritable() {
        Streams known = streams;
        if (known != null) {
            known.out().onWritable();
        }
    }

    /** Drops the reply of a call that has ended otherwise. */
    void forgotten(long id) {
        Streams known = streams;
        if (known != null) {
            known.replies().drop(id);
        }
    }

    /** Handles that the caller has given up a call, or is gone; the reply may be on its way. */
    void cancelled(int peer, long id) {
        Streams known = streams;
        if (known != null) {
            known.out().cancelReply(peer, id);
            known.in().cancel(new StreamKey(peer, id, false));
        }
    }

    /** Handles that a relayed peer is gone. */
    void peerGone(int peer) {
        Streams known = streams;
        if (known != null) {
            known.out().dropPeer(peer);
            known.in().peerGone(peer);
        }
    }

    /** Handles the end of the connection. */
    void close() {
        Streams known;
        synchronized (this) {
            closed = true;
            known = streams;
        }
        if (known != null) {
            known.close();
        }
    }

    private Streams streams() {
        Streams known = streams;
        return known != null ? known : begin();
    }

    private synchronized Streams begin() {
        Streams made = streams;
        if (made == null) {
            long inAdvance = link.has(Hello.CREDIT_IN_ADVANCE) ? Hello.FIRST_CREDIT : 0;
            made = new Streams(
                    new InboundStreams(link.context().budget(), new Way(link), inAdvance),
                    new OutboundStreams(link.connection(), link.context().timer(), inAdvance),
                    new StreamedReplies(link, calls));
            if (closed) {
                made.close();
            }
            streams = made;
        }
        return made;
    }
}
