package dev.cleave.serial;

import dev.cleave.Later;
import dev.cleave.wire.Blocks;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of one message that are used while they arrive: each is a group of blocks, numbered by its place from 1 on. Those
 * that are small stay in the message. Of one thread.
 */
final class LateWriter {

    private final Codec codec;
    private final List<Integer> order;
    private final Map<Integer, List<Block>> groups = new LinkedHashMap<>(); // by place
    private final List<Object> departed = new ArrayList<>(0);
    private int highest = -1;
    private int count; // of blocks

    /** Writes the values of some places, which follow in this order. */
    LateWriter(Codec codec, List<Integer> order) {
        this.codec = codec;
        this.order = order;
    }

    boolean has(int place) {
        return place < Blocks.MOST_GROUPS && order.contains(place);
    }

    /** The group that an array becomes, or 0 if it stays in the message. */
    int array(int place, Object array, long bytes) {
        return has(place) && bytes >= Block.LEAST_WITHIN && count < Blocks.MOST / 2
                ? group(place, List.of(Block.of(array)))
                : 0;
    }

    /** What stands for an object; null if that is null. */
    @Nullable
    Apart object(int place, @Nullable Object given) {
        Object value = plain(given);
        if (value == null) {
            return null;
        }
        Class<?> element = value.getClass().getComponentType();
        if (RowsBlock.isRows(value) || element != null && element.isPrimitive()) {
            Block block = element.isPrimitive() ? Block.of(value) : RowsBlock.of(value);
            if (block.bytes() >= Block.LEAST_WITHIN && count < Blocks.MOST / 2) {
                return new Apart(group(place, List.of(block)));
            }
        }
        return written(place, value);
    }

    /** The blocks of all groups, as they follow. */
    List<Block> blocks() {
        List<Block> all = new ArrayList<>();
        for (int place : order) {
            all.addAll(groups.getOrDefault(place, List.of()));
        }
        return all;
    }

    List<Object> departed() {
        return departed;
    }

    int highest() {
        return highest;
    }

    private Apart written(int place, Object value) {
        Session session = codec.acquire();
        try {
            List<Block> blocks = new ArrayList<>();
            session.output.begin(blocks);
            session.output.most(Blocks.MOST / 2 - count);
            session.kryo.writeClassAndObject(session.output, value);
            highest = Math.max(highest, session.highest());
            departed.addAll(session.departed());
            int bytes = session.output.position();
            if (blocks.isEmpty() && bytes < Block.LEAST_WITHIN) {
                return new Apart(session.output.toBytes());
            }
            blocks.add(session.output.takeAsBlock());
            return new Apart(group(place, blocks));
        } finally {
            codec.release(session);
        }
    }

    private int group(int place, List<Block> blocks) {
        int group = place + 1;
        blocks.forEach(block -> block.belongsTo(group));
        groups.put(place, blocks);
        count += blocks.size();
        return group;
    }

    private static @Nullable Object plain(@Nullable Object given) {
        if (given instanceof Later.Value<?> later) {
            return later.get();
        }
        if (given instanceof InputStream in) {
            try {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new SerialException(SerialException.Reason.REFUSED, "a stream that cannot be read: " + e, e);
            }
        }
        return given;
    }
}
