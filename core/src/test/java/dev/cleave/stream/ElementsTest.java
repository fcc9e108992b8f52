package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ElementsTest {

    /** Netty gives one view of a buffer to all who ask, and keeps it with the memory in its pool. */
    @Test
    void theOrderOfBytesOfTheSharedViewStaysAsItWas() {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(64);
        try {
            for (Object array : List.of(new double[] {1, 2}, new int[] {3, 4, 5}, new char[] {'a'})) {
                int kind =
                        array.getClass().getComponentType().descriptorString().charAt(0);
                int count = Array.getLength(array);
                Elements.read(kind, array, 0, count, buffer.clear());
                assertThat(buffer.internalNioBuffer(0, 2).order()).isEqualTo(ByteOrder.BIG_ENDIAN);

                Object copy = Array.newInstance(array.getClass().getComponentType(), count);
                Elements.fill(kind, copy, 0, count, buffer);
                assertThat(copy).isEqualTo(array);
                assertThat(buffer.internalNioBuffer(0, 2).order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            }
        } finally {
            buffer.release();
        }
    }
}
