package dev.cleave.rmi;

import java.io.Externalizable;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Finds which classes of the program have code that runs when their objects are serialized. */
final class WritingCode extends ClassValue<Boolean> {

    static final WritingCode OF = new WritingCode();

    private WritingCode() {}

    @Override
    protected Boolean computeValue(Class<?> type) {
        for (Class<?> at = type; at != null && !OwnTypes.isOfJdk(at); at = at.getSuperclass()) {
            if (Externalizable.class.isAssignableFrom(at)
                    || Arrays.stream(at.getDeclaredMethods()).anyMatch(WritingCode::isHook)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isHook(Method method) {
        return method.getName().equals("writeReplace") && method.getParameterCount() == 0
                || method.getName().equals("writeObject")
                        && Arrays.equals(method.getParameterTypes(), new Class<?>[] {ObjectOutputStream.class});
    }
}
