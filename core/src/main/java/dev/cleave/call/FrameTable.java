package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of one side of a connection, in an array indexed by the kind of frame. Immutable; one table serves all
 * connections of a node or broker, each of which passes its own session to the handlers.
 *
 * @param <S> the session of one connection
 */
public final class FrameTable<S> {

    private final String receiver;
    private final @Nullable Handler<S>[] handlers; // by ordinal of the FrameKind

    /**
     * Handles frames of one kind. Runs on the event thread of the connection; may not block.
     *
     * @param <S> the session of one connection
     */
    @FunctionalInterface
    public interface Handler<S> {

        /**
         * Handles a frame, whose reader index is at its header. The caller keeps the frame.
         *
         * @throws WireException if the frame is malformed or not allowed here: the connection ends
         */
        void handle(S session, ByteBuf frame);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
    private FrameTable(Builder<S> said) {
        receiver = said.receiver;
        handlers = new Handler[FrameKind.values().length];
        said.handlers.forEach((kind, handler) -> handlers[kind.ordinal()] = handler);
    }

    /**
     * Begins a table without handlers.
     *
     * @param receiver who takes the frames, for messages: {@code "a broker"}
     */
    public static <S> Builder<S> of(String receiver) {
        return new Builder<>(receiver);
    }

    /**
     * Gives a frame to the handler of its kind. The caller keeps the frame.
     *
     * @throws WireException if the kind has no handler, or the handler refuses the frame
     */
    void handle(S session, FrameKind kind, ByteBuf frame) {
        Handler<S> handler = handlers[kind.ordinal()];
        if (handler == null) {
            throw new WireException(ErrorCode.PROTOCOL, kind + " sent to " + receiver + " (expected: a kind it takes)");
        }
        handler.handle(session, frame);
    }

    /**
     * Collects the handlers of a table.
     *
     * @param <S> the session of one connection
     */
    public static final class Builder<S> {

        private final String receiver;
        private final Map<FrameKind, Handler<S>> handlers = new EnumMap<>(FrameKind.class);
        private final Set<FrameKind> undecoded = EnumSet.noneOf(FrameKind.class);

        private Builder(String receiver) {
            this.receiver = requireNonNull(receiver, "receiver");
        }

        /**
         * Gives frames of a kind, undecoded, to a handler.
         *
         * @throws IllegalArgumentException if the kind has a handler
         */
        public Builder<S> on(FrameKind kind, Handler<S> handler) {
            undecoded.add(kind);
            if (handlers.put(kind, requireNonNull(handler, "handler")) != null) {
                throw new IllegalArgumentException(kind + ": a second handler (expected: one of undecoded frames)");
            }
            return this;
        }

        /**
         * Gives the fields of frames of a kind to a handler. A kind may have several of these handlers, which run in
         * the order in which they were added.
         *
         * @param reader reads the fields
         * @throws IllegalArgumentException if the kind has a handler of undecoded frames
         */
        public <F extends Frame> Builder<S> on(FrameKind kind, Function<ByteBuf, F> reader, BiConsumer<S, F> handler) {
            requireNonNull(reader, "reader");
            requireNonNull(handler, "handler");
            if (undecoded.contains(kind)) {
                throw new IllegalArgumentException(kind + ": a second handler (expected: one of undecoded frames)");
            }
            Handler<S> decoding = (session, frame) -> {
                int header = frame.readerIndex();
                F fields = reader.apply(frame);
                frame.readerIndex(header);
                handler.accept(session, fields);
            };
            handlers.merge(kind, decoding, (first, next) -> (session, frame) -> {
                first.handle(session, frame);
                next.handle(session, frame);
            });
            return this;
        }

        /** Adds the handlers of another table, which get a part of the session. */
        public <R> Builder<S> with(Function<S, R> part, FrameTable<R> table) {
            for (FrameKind kind : FrameKind.values()) {
                Handler<R> handler = table.handlers[kind.ordinal()];
                if (handler != null) {
                    on(kind, (session, frame) -> handler.handle(part.apply(session), frame));
                }
            }
            return this;
        }

        /** Builds the table of the handlers added until now. */
        public FrameTable<S> build() {
            return new FrameTable<>(this);
        }
    }
}
