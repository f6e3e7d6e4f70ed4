import { nextTick, onMounted, watch } from 'vue';
import { useRoute, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { addRunButtons } from './run-example.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    const add = () => void nextTick(addRunButtons);
    onMounted(add);
    watch(() => route.path, add);
  },
};
export default theme;
