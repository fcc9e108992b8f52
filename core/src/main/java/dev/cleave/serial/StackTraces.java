package dev.cleave.serial;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** The frames of a stack trace: class, method, file and line of each. */
final class StackTraces {

    private static final int LEAST_BYTES = 4;

    private StackTraces() {}

    static void write(Output output, StackTraceElement[] stack) {
        output.writeVarInt(stack.length, true);
        for (StackTraceElement element : stack) {
            output.writeString(element.getClassName());
            output.writeString(element.getMethodName());
            output.writeString(element.getFileName());
            output.writeVarInt(element.getLineNumber(), false);
        }
    }

    static StackTraceElement[] read(Input input) {
        StackTraceElement[] stack = new StackTraceElement[((BoundedInput) input).size(LEAST_BYTES)];
        for (int i = 0; i < stack.length; i++) {
            stack[i] = new StackTraceElement(
                    input.readString(), input.readString(), input.readString(), input.readVarInt(false));
        }
        return stack;
    }
}
