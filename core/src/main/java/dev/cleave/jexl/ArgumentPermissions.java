package dev.cleave.jexl;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.commons.jexl3.introspection.JexlPermissions;

/**
 * The classes that expressions may use: those of the JDK that JEXL's restricted permissions allow, and the classes of
 * the application, which an expression reaches through arguments alone. Expressions construct no objects.
 */
final class ArgumentPermissions extends JexlPermissions.Delegate {

    ArgumentPermissions() {
        super(JexlPermissions.RESTRICTED);
    }

    @Override
    public boolean allow(Class<?> type) {
        return isOfApplication(type) || super.allow(type);
    }

    @Override
    public boolean allow(Constructor<?> constructor) {
        return false;
    }

    @Override
    public boolean allow(Field field) {
        return isOfApplication(field.getDeclaringClass()) || super.allow(field);
    }

    @Override
    public boolean allow(Method method) {
        return isOfApplication(method.getDeclaringClass()) || super.allow(method);
    }

    @Override
    public JexlPermissions compose(String... more) {
        return this;
    }

    private static boolean isOfApplication(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        ClassLoader loader = element.getClassLoader();
        return loader != null && loader != ClassLoader.getPlatformClassLoader();
    }
}
