package dev.cleave.call;

import dev.cleave.CallException.Execution;
import dev.cleave.serial.ReceivedBlocks;
import dev.cleave.stream.StreamKey;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Header;
import dev.cleave.wire.Reply;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The replies of one link whose blocks have not all arrived. The call of such a reply stays in the link's table, since
 * the call may be lost, cancelled or too late before the reply is whole. A reply with a streamed result ends its call
 * as soon as it can be decoded, and its stream goes on. Only {@link #drop} and {@link #wanted} are called on other
 * threads than the event thread.
 */
final class StreamedReplies {

    private final Link link;
    private final CallTable calls;
    private final Map<Long, Waiting> replies = new ConcurrentHashMap<>(); // by the number of the call
    private final Map<Long, ResultStream> results =
            new ConcurrentHashMap<>(); // of calls that have ended, by their numbers

    /** A reply whose blocks are arriving; owns its body. */
    private record Waiting(ByteBuf body, StreamReceiver stream, PeerTables from) {

        void release() {
            stream.close();
            body.release();
        }
    }

    StreamedReplies(Link link, CallTable calls) {
        this.link = link;
        this.calls = calls;
    }

    /** Handles a reply whose blocks follow. */
    void onReply(ByteBuf frame) {
        LinkCall call = calls.get(Header.id(frame));
        if (replies.containsKey(Header.id(frame)) || results.containsKey(Header.id(frame))) {
            return; // the reply has come before
        }
        if (call == null) { // no call waits for it, and its blocks would wait for credit for ever
            link.cancel(Header.id(frame));
            return;
        }
        PeerTables from = link.tables(Header.peer(frame));
        call.answeredBy(Header.peer(frame));
        ByteBuf body = frame.retainedDuplicate();
        StreamReceiver stream = open(call, body);
        if (stream == null) {
            body.release();
            return;
        }
        long id = Header.id(frame);
        replies.put(id, new Waiting(body, stream, from));
        if (calls.get(id) == null) { // the call was given up meanwhile
            drop(id);
            return;
        }
        if (!call.isBeforeItsPlace()) {
            start(id, call); // the caller may have come to its place meanwhile
        }
        if (!isUsedInParts(call)) {
            stream.whenComplete(() -> complete(id, from));
        } else if (!stream.lacksRoom()) {
            stream.whenReady(() -> begin(id, from));
        } // else it comes when the caller has come to its place
    }

    private static boolean isUsedInParts(LinkCall call) {
        return call.isShown() || call.method().plan().endsWithParts();
    }

    /** Handles that the sender of a reply has given it up. */
    void givenUp(long id) {
        LinkCall call = replies.containsKey(id) ? calls.remove(id) : null;
        if (call != null) {
            drop(id);
            call.fail(ErrorCode.CANCELLED, Execution.EXECUTED, "result: its sender has given it up", null);
        }
    }

    /** Handles a FAILURE for no call that waits; returns whether it belongs to a result that is arriving. */
    boolean failed(ByteBuf frame) {
        ResultStream result = results.get(Header.id(frame));
        if (result == null) {
            return false;
        }
        Failure failure = Failure.read(frame.duplicate());
        if (failure.peer() != result.peer() && failure.code() != ErrorCode.CONNECTION_LOST) {
            return false; // from the broker itself, to a request of another kind
        }
        result.fail(failure.code(), failure.message());
        return true;
    }

    /** Returns how many results of ended calls are still arriving. */
    int results() {
        return results.size();
    }

    /** Drops a reply that no call waits for. On any thread. */
    void drop(long id) {
        if (!replies.isEmpty()) {
            Waiting reply = replies.remove(id);
            if (reply != null) {
                reply.release();
            }
        }
    }

    /** Drops all replies: the connection is gone. */
    void close() {
        replies.keySet().forEach(this::drop);
    }

    /** Says that the caller waits for the result of a call. On any thread. */
    void wanted(long id) {
        if (replies.isEmpty() || !replies.containsKey(id)) {
            return;
        }
        try {
            link.connection().execute(() -> {
                LinkCall call = calls.get(id);
                if (call != null) {
                    want(id, call);
                    link.onReadComplete(link.connection());
                }
            });
        } catch (RejectedExecutionException e) { // the transport has been closed, and the call ends with it
            drop(id);
        }
    }

    private void want(long id, LinkCall call) {
        Waiting reply = replies.get(id);
        boolean hasWaited = reply != null && reply.stream().lacksRoom() && isUsedInParts(call);
        start(id, call);
        if (reply != null && hasWaited && replies.containsKey(id)) {
            reply.stream().whenReady(() -> begin(id, reply.from()));
        }
    }

    /** Makes room for a result that had none; fails the call if there is none now. */
    private void start(long id, LinkCall call) {
        Waiting reply = replies.get(id);
        if (reply == null) {
            return;
        }
        try {
            link.streams().start(reply.stream());
        } catch (WireException e) {
            drop(id);
            refuse(id, call, e);
        }
    }

    private void refuse(long id, LinkCall call, RuntimeException why) {
        calls.remove(id);
        call.fail(Failures.code(why), Execution.EXECUTED, "result: " + why.getMessage(), why);
        link.cancel(id);
    }

    private @Nullable StreamReceiver open(LinkCall call, ByteBuf body) {
        Reply reply = null;
        try {
            reply = Reply.read(body);
            List<Blocks> announced = Blocks.take(body);
            long bytes = body.readableBytes() + Blocks.total(announced);
            return link.streams().open(new StreamKey(reply.peer(), reply.id(), true), announced, call.arrives(bytes));
        } catch (WireException e) {
            refuse(reply == null ? -1 : reply.id(), call, e);
            return null;
        }
    }

    /** Ends the call of a result that can be used; the result goes on arriving. */
    private void begin(long id, PeerTables from) {
        Waiting reply = replies.remove(id);
        LinkCall call = reply == null ? null : calls.remove(id);
        if (reply == null || call == null) {
            if (reply != null) {
                reply.release();
            }
            return;
        }
        StreamReceiver stream = reply.stream();
        ResultStream result = new ResultStream(call, stream, () -> link.cancel(id));
        stream.belongsTo(result);
        results.put(id, result);
        result.whenEnded(() -> {
            results.remove(id);
            link.closeIfDone();
        });
        try {
            call.arrives(result);
            boolean isTaken = Replies.begin(call, reply.body(), from.types(), ReceivedBlocks.of(stream), result::used);
            result.begin();
            if (!isTaken) {
                result.giveUp(ErrorCode.CANCELLED, "the call has ended");
            }
        } finally {
            reply.body().release();
        }
    }

    private void complete(long id, PeerTables from) {
        Waiting reply = replies.remove(id);
        if (reply == null) {
            return;
        }
        try {
            LinkCall call = calls.remove(id);
            if (call != null) {
                Replies.succeed(call, reply.body(), from.types(), ReceivedBlocks.of(reply.stream()));
            }
        } finally {
            reply.release();
            link.closeIfDone();
        }
    }
}
