package dev.cleave.jexl;

import java.util.List;
import org.apache.commons.jexl3.JexlContext;
import org.jspecify.annotations.Nullable;

/** The arguments of one call as variables. */
final class ArgumentContext implements JexlContext {

    private final List<String> names;
    private final @Nullable Object[] arguments;

    ArgumentContext(List<String> names, @Nullable Object[] arguments) {
        this.names = names;
        this.arguments = arguments;
    }

    @Override
    @SuppressWarnings("NullAway") // a variable may be null
    public @Nullable Object get(String name) {
        int place = names.indexOf(name);
        return place < 0 ? null : arguments[place];
    }

    @Override
    public boolean has(String name) {
        return names.contains(name);
    }

    @Override
    public void set(String name, Object value) {
        throw new UnsupportedOperationException(name + " cannot be set");
    }
}
