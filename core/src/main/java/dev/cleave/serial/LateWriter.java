package dev.cleave.serial;

import dev.cleave.Later;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of one message that are used while they arrive: each is a group of blocks. Values of places are numbered by these
 * from 1 on and follow in their order; behind them come those within objects. What is small stays in the message. Of one thread.
 */
final class LateWriter {

    private static final int PLACES = 255;
    private static final int FIRST_WITHIN = PLACES + 1;

    private final Codec codec;
    private final List<Integer> order;
    private final int most; // blocks
    private final int within; // how many later values the message is
    private final SortedMap<Integer, List<Block>> groups = new TreeMap<>(); // by their numbers
    private final List<Object> departed = new ArrayList<>(0);
    private int highest = -1;
    private int nextWithin = FIRST_WITHIN;
    private int count; // of blocks

    /** Writes the values of some places, which follow in this order, as no more than so many blocks. */
    LateWriter(Codec codec, List<Integer> order, int most, int within) {
        this.codec = codec;
        this.order = order;
        this.most = most;
        this.within = within;
    }

    boolean has(int place) {
        return place < PLACES && order.contains(place);
    }

    /** The group that an array becomes, or 0 if it stays in the message. */
    int array(int place, Object array, long bytes) {
        return has(place) && bytes >= Block.LEAST_WITHIN && count < most
                ? group(place + 1, List.of(Block.of(array)))
                : 0;
    }

    /** The group that an array becomes that is still arriving here, or 0 if it has to be waited for. */
    int passed(int place, LateValue source) {
        return count < most && source.failure() == null ? group(place + 1, List.of(PassedBlock.of(source))) : 0;
    }

    /** What stands for the object of a place; null if that is null. */
    @Nullable
    Apart object(int place, @Nullable Object given) {
        int number = place + 1;
        if (given instanceof Later.Value<?> later) {
            return later(number, later);
        }
        Object value = given instanceof InputStream in ? bytes(in) : given;
        return value == null ? null : apart(number, value);
    }

    /** What stands for a later value within an object. */
    Apart within(Later.Value<?> given) {
        return later(nextWithin++, given);
    }

    private Apart later(int number, Later.Value<?> given) {
        if (given instanceof ArrivingValue shown && count < most) {
            LateValue arriving = shown.shown();
            if (arriving.isArray() && !arriving.isComplete() && arriving.failure() == null) {
                return new Apart(group(number, List.of(PassedBlock.of(arriving))));
            }
        }
        return apart(number, given.get());
    }

    private Apart apart(int number, @Nullable Object value) {
        Class<?> element = value == null ? null : value.getClass().getComponentType();
        if (value != null && element != null && (RowsBlock.isRows(value) || element.isPrimitive())) {
            Block block = element.isPrimitive() ? Block.of(value) : RowsBlock.of(value);
            if (block.bytes() >= Block.LEAST_WITHIN && count < most) {
                return new Apart(group(number, List.of(block)));
            }
        }
        return written(number, value);
    }

    /** The blocks of all groups, as they follow. */
    List<Block> blocks() {
        List<Block> all = new ArrayList<>();
        for (int place : order) {
            all.addAll(groups.getOrDefault(place + 1, List.of()));
        }
        groups.tailMap(FIRST_WITHIN).values().forEach(all::addAll);
        return all;
    }

    List<Object> departed() {
        return departed;
    }

    int highest() {
        return highest;
    }

    private Apart written(int number, @Nullable Object value) {
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
                return new Apart(session.output.toBytes());
            }
            blocks.add(session.output.takeAsBlock());
            return new Apart(group(number, blocks));
        } finally {
            codec.release(session);
        }
    }

    private int group(int number, List<Block> blocks) {
        blocks.forEach(block -> block.belongsTo(number));
        groups.put(number, blocks);
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
