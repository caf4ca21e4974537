import ArrowLeft from 'lucide-react/icons/arrow-left';
import { IconButton } from '../../ui/icon-button.tsx';
import { useGoBack } from './use-go-back.ts';

export function BackButton() {
  const goBack = useGoBack();
  return <IconButton label="Back" icon={ArrowLeft} onClick={() => void goBack()} />;
}
