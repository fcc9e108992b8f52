package dev.cleave.spring;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Makes the beans of {@link CleaveReferences}. */
final class ReferenceBeans implements ImportBeanDefinitionRegistrar {

    private final BeanFactory beans;

    ReferenceBeans(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata configuration, BeanDefinitionRegistry registry) {
        MergedAnnotation<CleaveReferences> said = configuration.getAnnotations().get(CleaveReferences.class);
        for (Class<?> type : said.getClassArray(MergedAnnotation.VALUE)) {
            register(type, registry);
        }
    }

    private <T> void register(Class<T> type, BeanDefinitionRegistry registry) {
        String service = ServiceNames.of("", type);
        String name = ClassUtils.getShortNameAsProperty(type) + "CleaveReference";
        if (registry.containsBeanDefinition(name)
                && !type.getName().equals(registry.getBeanDefinition(name).getBeanClassName())) {
            name = type.getName() + "CleaveReference";
        }
        if (!registry.containsBeanDefinition(name)) {
            BeanFactory factory = beans;
            BeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(
                            type, () -> factory.getBean(CleaveStubs.class).get(service, type))
                    .getBeanDefinition();
            registry.registerBeanDefinition(name, definition);
        }
    }
}
