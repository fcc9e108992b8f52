package dev.cleave.lab.chaos;

import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.Methods;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** A defect of a process that changes its requests of one method. */
abstract class Requests implements FrameDefect {

    private static final int SMALL = 256; // bytes of a frame that nothing follows
    private static final long OTHER =
            20_000; // more than the calls of a connection, and less than a server has marks for

    private final String method;
    private final Set<Integer> numbers = ConcurrentHashMap.newKeySet();

    /** Creates a defect of the methods whose keys begin with a text. */
    Requests(String method) {
        this.method = method;
    }

    /** Now and then one is sent twice, under two numbers: by its number the server does not know it again. */
    static FrameDefect twice(FaultyTransport.Pipe pipe, String method, BooleanSupplier when) {
        return new Requests(method) {
            @Override
            boolean leaves(ByteBuf frame) {
                if (when.getAsBoolean()) {
                    ByteBuf copy = frame.copy();
                    Header.readdress(copy, Header.peer(copy), Header.id(copy) + OTHER);
                    pipe.send(copy);
                }
                return true;
            }
        };
    }

    /** An object that is called is given back, by both of its references. */
    static FrameDefect released(FaultyTransport.Pipe pipe, String method) {
        return new Requests(method) {
            @Override
            boolean leaves(ByteBuf frame) {
                ByteBuf arguments = frame.duplicate();
                RequestHead.read(arguments);
                int at = arguments.readerIndex(); // of the number of the object
                Held held = new Held(Header.peer(frame), frame.getLong(at), frame.getLong(at + Long.BYTES), -2);
                pipe.send(frame.copy());
                pipe.send(held.write(pipe.allocator()));
                return false;
            }
        };
    }

    /** A request of the method is to leave; says whether it does. */
    abstract boolean leaves(ByteBuf frame);

    @Override
    public final boolean out(ByteBuf frame) {
        FrameKind kind = Header.kind(frame);
        if (kind == FrameKind.METHODS) {
            for (Methods.Method each : Methods.read(frame.duplicate()).methods()) {
                if (each.key().startsWith(method)) {
                    numbers.add(each.number());
                }
            }
        }
        boolean isIt = kind == FrameKind.REQUEST
                && frame.readableBytes() <= SMALL
                && numbers.contains(RequestHead.read(frame.duplicate()).method());
        return isIt ? leaves(frame) : other(frame);
    }

    /** Called for each other frame; says whether the frame is sent. */
    boolean other(ByteBuf frame) {
        return true;
    }
}
