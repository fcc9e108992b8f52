package dev.cleave.lab.simulation;

import dev.cleave.call.Remembered;
import dev.cleave.lab.history.Planted;
import dev.cleave.wire.Execution;
import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A server's memory of the calls of one connection: that of production, except for a planted defect. */
final class RememberedCalls {

    private final Rules rules;
    private final Remembered memory;
    private final Set<Long> running = new HashSet<>();
    private final Set<Long> ended = new HashSet<>();

    RememberedCalls(Rules rules, Remembered memory) {
        this.rules = rules;
        this.memory = memory;
    }

    boolean begins(long id) {
        boolean may = memory.begins(id);
        if (may) {
            running.add(id);
        }
        return may || rules.has(Planted.BEGINS_AFTER_ALL);
    }

    void ended(long id, ByteBuf reply) {
        running.remove(id);
        ended.add(id);
        @Nullable ByteBuf kept = rules.has(Planted.FORGETS_REPLIES, id, 3) ? null : reply;
        memory.ended(id, kept, -1);
    }

    void settled(long mark) {
        memory.settled(mark);
    }

    void shut() {
        memory.shut();
    }

    void recall(long id, Remembered.Asker asker) {
        boolean isLie = rules.has(Planted.RUNNING_IS_NOT) && running.contains(id)
                || rules.has(Planted.ENDED_IS_NOT) && ended.contains(id);
        if (isLie) {
            asker.failed(Execution.NOT, "a lie");
        } else {
            memory.recall(rules.has(Planted.RECALLS_THE_NEXT) ? id + 1 : id, asker);
        }
    }
}
