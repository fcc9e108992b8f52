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
 * What one side of a connection does with each kind of frame: an array of handlers, indexed by kind. Immutable; one table serves all
 * connections of a node or broker, each of which passes its own session to the handlers.
 *
 * @param <S> the session of one connection
 */
public final class FrameTable<S> {

    private final String receiver;
    private final @Nullable Handler<S>[] handlers; // by ordinal of the kind

    /**
     * Does what a frame says. Runs on the event thread of the connection; may not block.
     *
     * @param <S> the session of one connection
     */
    @FunctionalInterface
    public interface Handler<S> {

        /**
         * Handles a frame, whose reader index is at its header, and which stays the caller's.
         *
         * @throws WireException if the frame is not as it should be: the connection ends
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
     * Gives a frame, which stays the caller's, to the handler of its kind.
     *
     * @throws WireException if the kind has none, or the frame is not as it should be
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
         * Gives the fields of frames of a kind to a handler. A kind may have several of these handlers, which run in the order
         * in which they were added.
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

        /** Gives the kinds that another table takes to a part of the session. */
        public <R> Builder<S> with(Function<S, R> part, FrameTable<R> table) {
            for (FrameKind kind : FrameKind.values()) {
                Handler<R> handler = table.handlers[kind.ordinal()];
                if (handler != null) {
                    on(kind, (session, frame) -> handler.handle(part.apply(session), frame));
                }
            }
            return this;
        }

        /** The table of what was added until now. */
        public FrameTable<S> build() {
            return new FrameTable<>(this);
        }
    }
}
