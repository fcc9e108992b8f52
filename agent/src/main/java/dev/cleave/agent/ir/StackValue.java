package dev.cleave.agent.ir;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.analysis.Value;

/** The register that holds a value while {@link IrBuilder} executes a block; nothing for a void result or a hole. */
record StackValue(@Nullable Register register) implements Value {

    static final StackValue NOTHING = new StackValue(null);

    /** The register; there must be one. */
    Register value() {
        if (register == null) {
            throw new IllegalStateException("read of a local that holds no value");
        }
        return register;
    }

    @Override
    public int getSize() {
        return register == null ? 1 : register.kind().size();
    }
}
