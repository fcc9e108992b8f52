package dev.cleave.serial;

import dev.cleave.Later;
import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import dev.cleave.stream.StreamedValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes blocks of the streamed values of one message, each under a number. The values of places have the number of
 * their place plus one and follow in the given order; behind them follow the values within objects. A small value stays
 * in the message. Of one thread.
 */
final class StreamedValueWriter {

    private static final int PLACES = 255;
    private static final int FIRST_WITHIN = PLACES + 1;

    private final Codec codec;
    private final List<Integer> order;
    private final int most; // blocks
    private final int within; // in how many other streamed values the message is
    private final SortedMap<Integer, List<Block>> values = new TreeMap<>(); // by number
    private final List<Object> departed = new ArrayList<>(0);
    private int highest = -1;
    private int nextWithin = FIRST_WITHIN;
    private int count; // of blocks

    /**
     * Creates a writer.
     *
     * @param order the places whose values are streamed, in the order in which they follow
     * @param most the most blocks that it makes
     * @param within in how many other streamed values the message is
     */
    StreamedValueWriter(Codec codec, List<Integer> order, int most, int within) {
        this.codec = codec;
        this.order = order;
        this.most = most;
        this.within = within;
    }

    boolean has(int place) {
        return place < PLACES && order.contains(place);
    }

    /** The number under which an array follows; 0 if it stays in the message. */
    int array(int place, Object array, long bytes) {
        return has(place) && bytes >= Block.LEAST_WITHIN && count < most
                ? follow(place + 1, List.of(BlockFactory.of(array)))
                : 0;
    }

    /** Returns the number under which an array that is still arriving here follows; 0 if it has to arrive first. */
    int forwarded(int place, StreamedValue source) {
        return count < most && source.failure() == null
                ? follow(place + 1, List.of(BlockFactory.forwarding(source)))
                : 0;
    }

    /** Returns the placeholder of the object at a place; null if the object is null. */
    @Nullable
    Placeholder object(int place, @Nullable Object given) {
        int number = place + 1;
        if (given instanceof Later.Value<?> later) {
            return later(number, later);
        }
        Object value = given instanceof InputStream in ? bytes(in) : given;
        return value == null ? null : placeholder(number, value);
    }

    /** Returns the placeholder of an object that shares nothing with others; {@code n} tells it from others. */
    Placeholder alone(int n, @Nullable Object value) {
        return written(FIRST_WITHIN + n, value);
    }

    /** Returns the placeholder of a streamed value within an object. */
    Placeholder within(Later.Value<?> given) {
        return later(nextWithin++, given);
    }

    private Placeholder later(int number, Later.Value<?> given) {
        if (given instanceof StreamedValue source && count < most) {
            if (source.isArray() && !source.isHere() && source.failure() == null) {
                return new Placeholder(follow(number, List.of(BlockFactory.forwarding(source))));
            }
        }
        return placeholder(number, given.get());
    }

    private Placeholder placeholder(int number, @Nullable Object value) {
        if (value != null && BlockFactory.isArray(value)) {
            Block block = BlockFactory.of(value);
            if (block.bytes() >= Block.LEAST_WITHIN && count < most) {
                return new Placeholder(follow(number, List.of(block)));
            }
        }
        return written(number, value);
    }

    /** The blocks of all values, in the order in which they follow. */
    List<Block> blocks() {
        List<Block> all = new ArrayList<>();
        for (int place : order) {
            all.addAll(values.getOrDefault(place + 1, List.of()));
        }
        values.tailMap(FIRST_WITHIN).values().forEach(all::addAll);
        return all;
    }

    List<Object> departed() {
        return departed;
    }

    int highest() {
        return highest;
    }

    private Placeholder written(int number, @Nullable Object value) {
        KryoSession session = codec.acquire();
        try {
            List<Block> blocks = new ArrayList<>();
            session.within(within + 1);
            session.output.begin(count < most ? blocks : null);
            session.output.most(most - count - 1);
            session.kryo.writeClassAndObject(session.output, value);
            highest = Math.max(highest, session.highest());
            departed.addAll(session.departed());
            if (blocks.isEmpty() && (session.output.position() < Block.LEAST_WITHIN || count >= most)) {
                return new Placeholder(session.output.toBytes());
            }
            blocks.add(session.output.takeAsBlock());
            return new Placeholder(follow(number, blocks));
        } finally {
            codec.release(session);
        }
    }

    private int follow(int number, List<Block> blocks) {
        blocks.forEach(block -> block.belongsTo(number));
        values.put(number, blocks);
        count += blocks.size();
        return number;
    }

    private static byte[] bytes(InputStream in) {
        try {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new SerialException(SerialException.Reason.REFUSED, "a stream that cannot be read: " + e, e);
        }
    }
}
