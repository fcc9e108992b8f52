package dev.cleave.client;

import dev.cleave.call.RemoteMethod;
import dev.cleave.call.ResultStream;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that keeps its arguments until it has ended: it may have to be sent again. */
abstract class KeptCall extends RoutedCall {

    private int highest = -1;
    private List<Object> departed = List.of();
    private volatile @Nullable KeptArguments kept; // set before there is anything to keep
    private volatile RequestStream blocks = RequestStream.NONE;

    KeptCall(RemoteMethod method) {
        super(method);
    }

    /** The objects of which references are among the arguments. */
    void carries(List<Object> objects) {
        departed = objects;
    }

    /** Those objects. */
    List<Object> departed() {
        return departed;
    }

    /** Some of its arguments follow its frame. */
    void isFollowedBy(RequestStream following) {
        blocks = following;
        share();
    }

    /** The arguments that follow its frame. */
    RequestStream blocks() {
        return blocks;
    }

    /** Begins as the same call once more. */
    void continues(KeptCall other) {
        departed = other.departed;
        belongsTo(other.key());
        blocks = other.blocks.again();
    }

    /** The highest number of a type among the arguments; announced before they are sent. */
    void announces(int highestType) {
        highest = highestType;
    }

    int highestType() {
        return highest;
    }

    @Override
    protected boolean isAlone() {
        return blocks == RequestStream.NONE && super.isAlone();
    }

    @Override
    protected void renew() {
        super.renew();
        departed = List.of();
    }

    @Override
    protected void arrives(ResultStream result) {
        blocks.lastUntil(result);
    }

    /** Whether the arguments of its frame are kept now. */
    boolean keepsArguments() {
        KeptArguments known = kept;
        return known != null && known.isThere();
    }

    /** Keeps the arguments of a frame, which stays the caller's. */
    void keepArguments(ByteBuf frame) {
        kept().keepOf(frame);
        letGoIfEnded();
    }

    /** Keeps arguments, which it takes over, unless the call has ended meanwhile. */
    void keep(ByteBuf arguments) {
        kept().keep(arguments);
        letGoIfEnded();
    }

    KeptArguments kept() {
        KeptArguments known = kept;
        if (known == null) {
            known = new KeptArguments();
            kept = known;
        }
        return known;
    }

    /** Lets go of the kept arguments; those of a call that was sent ahead and not executed are kept as bytes. */
    void letGo() {
        if (failedAhead()) {
            kept().rescue();
            return;
        }
        KeptArguments known = kept;
        if (known != null) {
            known.release();
        }
        if (blocks != RequestStream.NONE) {
            blocks = RequestStream.NONE;
        }
    }

    private void letGoIfEnded() {
        if (isDone()) {
            letGo();
        }
    }
}
