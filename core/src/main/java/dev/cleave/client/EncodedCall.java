package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import dev.cleave.call.Outcome;
import dev.cleave.call.RemoteMethod;
import dev.cleave.wire.Header;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A call whose arguments are encoded in a byte array, with the context that its thread had then. */
final class EncodedCall extends Encoded {

    /**
     * The longest frame on the heap, in bytes: a pooled buffer would be released by another thread than allocated it.
     */
    private static final int SMALL = 256;

    private static final @Nullable Object[] NO_ARGUMENTS = {};

    private final CalledService service;
    private final RemoteMethod method;
    private final byte[] arguments;
    private final int highestType;
    private final Around around;
    private final Surroundings here; // without what interceptors add

    EncodedCall(
            CalledService service,
            RemoteMethod method,
            byte[] arguments,
            int highestType,
            Around around,
            Surroundings here) {
        this.service = requireNonNull(service, "service");
        this.method = requireNonNull(method, "method");
        this.arguments = arguments;
        this.highestType = highestType;
        this.around = requireNonNull(around, "around");
        this.here = requireNonNull(here, "here");
    }

    @Override
    public Handle send() {
        ClientCall call = new ClientCall(service, method);
        call.aheadOfItsPlace();
        try {
            call.request().isWithin(around.sends(method, here, NO_ARGUMENTS, true, true));
        } catch (RuntimeException | Error veto) { // of an interceptor
            call.end(new Outcome.Vetoed(veto));
            return call;
        }
        boolean isTight = Request.areCopied(arguments.length);
        int length = RequestHead.PLAIN_LENGTH + arguments.length + (isTight ? 0 : RequestFrame.ROOM);
        ByteBuf frame = length <= SMALL
                ? UnpooledByteBufAllocator.DEFAULT.heapBuffer(length)
                : PooledByteBufAllocator.DEFAULT.buffer(length);
        if (isTight) {
            RequestFrame.beginTight(frame, service.number(method));
        } else {
            RequestFrame.begin(frame, service.number(method));
        }
        frame.writeBytes(arguments);
        Header.finish(frame);
        call.ahead().takesRoomAnyway(service.aheadRoom(), arguments.length, service.expectedResult(method));
        call.send(frame, highestType, false);
        return call;
    }

    @Override
    public boolean isSameCall(Encoded other) {
        return other instanceof EncodedCall call
                && call.service == service
                && call.method == method
                && call.here.equals(here)
                && Arrays.equals(call.arguments, arguments);
    }

    @Override
    public String group() {
        return method.conduct().group();
    }

    @Override
    public int size() {
        return arguments.length;
    }
}
